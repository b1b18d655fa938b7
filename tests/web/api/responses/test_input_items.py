"""Each item of a conversation becomes what a model reads, or is left out. Nothing is started."""

from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from chat.errors import BadRequest
from tests.support.api.translated_requests import PNG, SEEING, response_question
from tests.support.imported_later import imported_later

if TYPE_CHECKING:
    from openai.types import responses
else:
    responses = imported_later("openai.types.responses")

ASKED = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
HI = {"role": "user", "content": "Hi"}
PATCH = {"type": "custom", "name": "patch"}
AGENTS = {"type": "namespace", "name": "agents", "tools": [{"type": "function", "name": "spawn"}]}


def call(name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    calls = [{"id": "c1", "type": "function", "function": function}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def result(content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": "c1"}


#: Items, and what a model reads of them.
READ: dict[str, tuple[list[Any], list[Any]]] = {
    "a function": (
        [
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'},
            {"type": "function_call_output", "call_id": "c1", "output": "4.2 m"},
        ],
        [call("f", '{"a": 1}'), result("4.2 m")],
    ),
    "a function of a namespace": (
        [
            {
                "type": "function_call",
                "call_id": "c1",
                "namespace": "agents",
                "name": "spawn",
                "arguments": "{}",
            },
        ],
        [call("spawn", "{}")],
    ),
    "a custom tool": (
        [
            {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": 'a "b"'},
            {
                "type": "custom_tool_call_output",
                "call_id": "c1",
                "output": [{"type": "input_text", "text": "Done"}],
            },
        ],
        [call("patch", r'{"input":"a \"b\""}'), result("Done")],
    ),
    "a shell": (
        [
            {
                "type": "local_shell_call",
                "id": "lsh_1",
                "call_id": "c1",
                "status": "completed",
                "action": {"type": "exec", "command": ["ls"], "env": {}},
            },
            {"type": "local_shell_call_output", "id": "c1", "output": '{"stdout":"a"}'},
        ],
        [
            call("local_shell", '{"type": "exec", "command": ["ls"], "env": {}}'),
            result('{"stdout":"a"}'),
        ],
    ),
    "a result in another form": (
        [
            {
                "type": "shell_call_output",
                "call_id": "c1",
                "output": [
                    {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
                ],
            },
        ],
        [result('[{"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]')],
    ),
    "reasoning before an answer": (
        [
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "Hm."}],
                "encrypted_content": "x",
            },
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        ],
        [{**call("f", "{}"), "reasoning": "Hm."}],
    ),
}
#: What only servers of OpenAI understand.
LEFT_OUT: dict[str, dict[str, Any]] = {
    "encrypted reasoning": {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "x"}],
        "encrypted_content": "x",
    },
    "a search": {
        "type": "web_search_call",
        "id": "ws_1",
        "status": "completed",
        "action": {"type": "search", "query": "x", "queries": ["x"]},
    },
    "a search for tools": {
        "type": "tool_search_call",
        "call_id": "c1",
        "execution": "client",
        "arguments": {"query": "x"},
        "status": "completed",
    },
    "a picture": {
        "type": "image_generation_call",
        "id": "ig_1",
        "status": "completed",
        "result": "x",
    },
    "a compaction": {"type": "compaction", "encrypted_content": "x"},
    "a trigger": {"type": "compaction_trigger"},
    "code": {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "code": "1",
        "container_id": "x",
        "outputs": None,
        "status": "completed",
    },
    "tools of a server": {
        "type": "mcp_list_tools",
        "id": "mcp_1",
        "server_label": "x",
        "tools": [],
    },
}
UNKNOWN = {"type": "an_item_of_next_year", "content": 7, "call_id": [], "role": None}


async def read(items: list[Any]) -> list[Any]:
    asked = await response_question(items, tools=[PATCH, AGENTS])
    return [each.as_dict("reasoning") for each in asked.messages]


@pytest.mark.parametrize("kind", READ)
async def test_an_item_is_read(kind: str) -> None:
    items, messages = READ[kind]
    TypeAdapter(list[responses.ResponseInputItemParam]).validate_python(items)
    assert await read([ASKED, *items]) == [HI, *messages]


@pytest.mark.parametrize("kind", LEFT_OUT)
async def test_an_item_of_openais_own_tools_is_left_out(kind: str) -> None:
    TypeAdapter(responses.ResponseInputItemParam).validate_python(LEFT_OUT[kind])
    assert await read([LEFT_OUT[kind], ASKED]) == [HI]


async def test_an_unknown_item_is_left_out() -> None:
    assert await read([UNKNOWN, ASKED]) == [HI]


async def test_instructions_alone_are_answered() -> None:
    assert [
        each.as_dict("reasoning")
        for each in (await response_question([{**ASKED, "role": "developer"}])).messages
    ] == [HI]


async def test_an_image_is_seen_where_it_is_and_that_of_a_tool_after_its_result() -> None:
    picture = {"type": "input_image", "image_url": PNG, "detail": "auto"}
    text = {"type": "input_text", "text": "Hi"}
    items = [
        {"role": "user", "content": [text, picture]},
        {"type": "function_call", "call_id": "c1", "name": "view_image", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": [text, picture]},
    ]
    asked = await response_question(items, SEEING)
    question, _call, told, shown = [each.as_dict("reasoning") for each in asked.messages]
    seen = {"type": "image_url", "image_url": {"url": PNG}}
    assert question["content"] == [{"type": "text", "text": "Hi"}, seen]
    assert told["content"] == "Hi\n[image: image.png]"
    assert shown == {"role": "user", "content": [seen]}
    blind = (await response_question(items[1:])).messages
    assert [each.content for each in blind] == ["", "Hi\n[image: image.png]"]


@pytest.mark.parametrize(
    ("items", "param", "words"),
    [
        (
            [{"role": "user", "content": [{"type": "input_file", "file_id": "x"}]}],
            "input[0].content[0]",
            "not input_file",
        ),
        (
            [
                {
                    "role": "user",
                    "content": [{"type": "input_image", "image_url": "https://x.org/a.png"}],
                }
            ],
            "input[0].content[0]",
            "data: URLs",
        ),
        (
            [
                {
                    "role": "user",
                    "content": [{"type": "input_image", "image_url": "data:image/png;base64,AAAA"}],
                }
            ],
            "input[0].content[0]",
            "image",
        ),
        ([ASKED, {"role": "assistant", "content": None}], "input[1].content", "needs content"),
        ([{"role": "robot", "content": "x"}], "input[0].role", "form"),
        ([{"type": "compaction", "encrypted_content": "x"}], "input", "no message"),
    ],
)
async def test_what_cannot_be_read_is_refused_by_name(
    items: list[Any], param: str, words: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        await response_question(items, SEEING)
    assert caught.value.param == param
    assert words in caught.value.public
