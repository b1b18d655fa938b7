"""Each part of a conversation becomes what a model reads. Nothing is started."""

from typing import Any

import pytest

from chat.errors import BadRequest
from tests.support.api.messages_request import (
    IMAGE,
    SEEING,
    is_valid,
    read,
    text,
    translated,
    user,
)

CALL = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1.50}}
CALLED = {
    "id": "toolu_1",
    "type": "function",
    "function": {"name": "f", "arguments": {"a": 1.5}},
}


def result(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "toolu_1", "content": content, **more}


def document(**source: Any) -> dict[str, Any]:
    return {"type": "document", "title": "Levels", "source": source}


#: Messages, and what a model reads of them.
MESSAGES: dict[str, tuple[list[Any], list[Any]]] = {
    "text": ([{"role": "user", "content": "Hi"}], [{"role": "user", "content": "Hi"}]),
    "blocks of text": ([user(text("a"), text("b"))], [{"role": "user", "content": "a\n\nb"}]),
    "a system message at the end": (
        [user(text("a")), {"role": "system", "content": [text("b")]}],
        [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}],
    ),
    "a call and its result before the text": (
        [{"role": "assistant", "content": [text("a"), CALL]}, user(text("c"), result("b"))],
        [
            {"role": "assistant", "content": "a", "tool_calls": [CALLED]},
            {"role": "tool", "content": "b", "tool_call_id": "toolu_1"},
            {"role": "user", "content": "c"},
        ],
    ),
    "a result that is an error": (
        [user(result([text("b")], is_error=True))],
        [{"role": "tool", "content": "Error: b", "tool_call_id": "toolu_1"}],
    ),
    "a result with an image": (
        [user(result([text("b"), IMAGE]), text("c"))],
        [
            {"role": "tool", "content": "b\n[image: image.png]", "tool_call_id": "toolu_1"},
            {"role": "user", "content": "c"},
        ],
    ),
    "thinking": (
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "t", "signature": "s"},
                    {"type": "redacted_thinking", "data": "x"},
                    text("a"),
                ],
            },
            user(text("b")),
        ],
        [
            {"role": "assistant", "content": "a", "reasoning": "t"},
            {"role": "user", "content": "b"},
        ],
    ),
    "a document of plain text": (
        [user(document(type="text", media_type="text/plain", data="4.2 m"))],
        [{"role": "user", "content": "Levels\n4.2 m"}],
    ),
    "a document of blocks": (
        [user(document(type="content", content=[text("4.2 m")]))],
        [{"role": "user", "content": "Levels\n4.2 m"}],
    ),
    "a search result": (
        [
            user(
                {
                    "type": "search_result",
                    "source": "https://example.org",
                    "title": "Levels",
                    "content": [text("4.2 m")],
                }
            )
        ],
        [{"role": "user", "content": "Levels\nhttps://example.org\n4.2 m"}],
    ),
    "what servers of Anthropic ran": (
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "s",
                        "content": {
                            "type": "web_search_tool_result_error",
                            "error_code": "unavailable",
                        },
                    },
                    text("a"),
                ],
            },
            user(text("b")),
        ],
        [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}],
    ),
}


@pytest.mark.parametrize("kind", MESSAGES)
async def test_messages_become_what_a_model_reads(kind: str) -> None:
    messages, expected = MESSAGES[kind]
    assert is_valid({"model": "m", "max_tokens": 1, "messages": messages})
    question = await translated(messages=messages)
    assert read(question) == expected


@pytest.mark.parametrize(
    "system",
    ["Be kind.", [text("x-anthropic-billing-header: cc_version=2.1; cch=1;"), text("Be kind.")]],
)
async def test_instructions_come_first(system: Any) -> None:
    question = await translated(system=system)
    assert [each.content for each in question.messages] == ["Be kind.", "Hi"]


async def test_a_model_with_vision_sees_images_also_of_tools() -> None:
    messages = [user(IMAGE, text("a")), user(result([text("b"), IMAGE]))]
    asked, tool, shown = (await translated(SEEING, messages=messages)).messages
    assert asked.images[0].url.startswith("data:image/png;base64,")
    assert (tool.role, tool.content, tool.images) == ("tool", "b\n[image: image.png]", ())
    assert (shown.role, shown.content, len(shown.images)) == ("user", "", 1)


async def test_a_model_without_vision_refuses_the_images_of_a_question() -> None:
    with pytest.raises(BadRequest) as caught:
        await translated(messages=[user(IMAGE, text("a"))])
    assert caught.value.code == "images_unsupported"


@pytest.mark.parametrize(
    ("request_", "param"),
    [
        ({"model": None}, "model"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "system", "content": "a"}]}, "messages"),
        ({"messages": [{"role": "robot", "content": "a"}]}, "messages[0].role"),
        ({"messages": [user({"type": "hologram"})]}, "messages[0].content[0]"),
        (
            {"messages": [user({"type": "image", "source": {"type": "url", "url": "https://x"}})]},
            "messages[0].content[0].source",
        ),
        (
            {"messages": [user({"type": "image", "source": {"type": "base64", "data": "AAAA"}})]},
            "messages[0].content[0]",
        ),
        (
            {"messages": [user(document(type="base64", media_type="application/pdf", data="AA"))]},
            "messages[0].content[0].source",
        ),
        ({"messages": [user(result("a", tool_use_id=""))]}, "messages[0].content[0].tool_use_id"),
        ({"messages": [user(result([7]))]}, "messages[0].content[0].content[0]"),
        ({"messages": [user(*[IMAGE] * 5)]}, "messages[0].content"),
        ({"tools": [{"input_schema": {}}]}, "tools[0].name"),
        ({"stop_sequences": ["a"] * 5}, "stop_sequences"),
        ({"thread": {"id": "x"}}, "thread"),
    ],
)
async def test_what_cannot_be_read_is_refused_by_name(request_: dict[str, Any], param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        await translated(SEEING, **request_)
    assert caught.value.param == param
