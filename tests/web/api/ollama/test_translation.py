"""Each part of a request becomes what a model reads, and its parameters. Nothing is started."""

import base64
import json
from typing import Any

import pytest
from pytest_django import Settings

from chat.errors import BadRequest
from chat.lib.catalogue import Model
from chat.upstream.model_parameters import for_model
from tests.support.api.messages_request import read
from tests.support.api.ollama_client import BLIND, LOOK_UP, SEEING, asked, asking, prompted
from tests.support.widget.pictures import png

PNG = base64.b64encode(png(8, 8)).decode()
THINKING = Model(id="m", context_window=100_000, reasoning_efforts=("low", "medium", "high"))
SWITCHED = Model(id="m", context_window=100_000, thinking_switch="enable_thinking")
TOOLLESS = Model(id="m", context_window=100_000)


def call(name: str, call_id: str = "", **arguments: Any) -> dict[str, Any]:
    own = {"id": call_id} if call_id else {}
    return {**own, "function": {"name": name, "arguments": arguments}}


def called(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def calling(*calls: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": list(calls), **more}


def result(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": content, **more}


#: Messages, and what a model reads of them.
MESSAGES: dict[str, tuple[list[Any], list[Any]]] = {
    "text": (
        [{"role": "system", "content": "Be kind."}, asking("Hi")],
        [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}],
    ),
    "instructions alone": (
        [{"role": "system", "content": "Hi"}],
        [{"role": "user", "content": "Hi"}],
    ),
    "thinking": (
        [{"role": "assistant", "content": "a", "thinking": "t"}, asking("b")],
        [
            {"role": "assistant", "content": "a", "reasoning": "t"},
            {"role": "user", "content": "b"},
        ],
    ),
    "results by the names of their tools": (
        [
            calling(call("f", x=1), call("g")),
            result("of g", tool_name="g"),
            result("of f", name="f"),
        ],
        [
            {
                "role": "assistant",
                "tool_calls": [called("call_0_0", "f", x=1), called("call_0_1", "g")],
            },
            {"role": "tool", "content": "of g", "tool_call_id": "call_0_1"},
            {"role": "tool", "content": "of f", "tool_call_id": "call_0_0"},
        ],
    ),
    "results in the order of the calls": (
        [calling(call("f"), call("f")), result("1", tool_name="f"), result("2")],
        [
            {
                "role": "assistant",
                "tool_calls": [called("call_0_0", "f"), called("call_0_1", "f")],
            },
            {"role": "tool", "content": "1", "tool_call_id": "call_0_0"},
            {"role": "tool", "content": "2", "tool_call_id": "call_0_1"},
        ],
    ),
    "an id that comes again": (
        [calling(call("f", "a")), calling(call("g", "a")), result("of g")],
        [
            {"role": "assistant", "tool_calls": [called("a", "f")]},
            {"role": "assistant", "tool_calls": [called("a", "g")]},
            {"role": "tool", "content": "of g", "tool_call_id": "a"},
        ],
    ),
    "a result by the id of its call": (
        [calling(call("f", "a"), call("f", "b")), result("of b", tool_call_id="b")],
        [
            {"role": "assistant", "tool_calls": [called("a", "f"), called("b", "f")]},
            {"role": "tool", "content": "of b", "tool_call_id": "b"},
        ],
    ),
}


@pytest.mark.parametrize("kind", MESSAGES)
async def test_messages_become_what_a_model_reads(kind: str) -> None:
    messages, expected = MESSAGES[kind]
    assert read(await asked(messages=messages)) == expected


async def test_a_prompt_has_instructions_before_it() -> None:
    assert read(await prompted(system="Be kind.")) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi"},
    ]


@pytest.mark.parametrize("image", [PNG, f"data:image/png;base64,{PNG}"])
async def test_images_are_bare_base64_or_addresses(image: str) -> None:
    in_chat = await asked(SEEING, messages=[asking("Hi", images=[image])])
    alone = await prompted(SEEING, images=[image])
    for question in (in_chat, alone):
        (seen,) = question.messages[-1].images
        assert seen.url.startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ({"temperature": 1, "top_p": 0.9, "top_k": 40.0}, {"temperature": 1, "top_p": 0.9, "top_k": 40}),
        ({"seed": 42, "top_k": 0}, {"seed": 42}),
        ({"seed": 0}, {"seed": 1}),
        ({"seed": -1, "num_ctx": 4096, "mirostat": 1, "numa": True, "num_gpu": None}, {}),
        (
            {"repeat_penalty": 1.1, "presence_penalty": 9, "frequency_penalty": 0.5},
            {"repetition_penalty": 1.1, "presence_penalty": 2, "frequency_penalty": 0.5},
        ),
    ],
)  # fmt: skip
async def test_options_become_parameters(
    options: dict[str, Any], parameters: dict[str, Any]
) -> None:
    assert (await asked(options=options)).parameters == parameters


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 2048),
        ({"num_predict": 50.0}, 50),
        ({"num_predict": -1}, 16_384),
        ({"num_predict": -2}, 16_384),
        ({"num_predict": 10**9}, 16_384),
    ],
)
async def test_the_model_decides_on_the_length_if_the_program_wants_it(
    options: dict[str, Any], most: int
) -> None:
    assert (await asked(options=options)).max_tokens == most


@pytest.mark.parametrize(("stop", "expected"), [("END", ("END",)), (["a", "b", ""], ("a", "b"))])
async def test_an_answer_ends_at_texts(stop: Any, expected: tuple[str, ...]) -> None:
    assert (await asked(options={"stop": stop})).stop == expected


async def test_a_provider_gets_no_more_texts_than_openai_takes() -> None:
    question = await asked(options={"stop": list("abcdef")})
    assert len(question.stop) == 6
    assert for_model(question, BLIND).parameters["stop"] == list("abcd")


async def test_what_only_some_providers_know_is_forwarded_to_them(settings: Settings) -> None:
    options = {"min_p": 0.1, "typical_p": 1}
    assert not (await asked(options=options)).forwarded
    settings.WORKERS_AI_BASE_URL = "https://models.example.org/v1"
    sent = (await asked(options=options)).forwarded
    assert {name: json.loads(bytes(value)) for name, value in sent.items()} == options


@pytest.mark.parametrize(
    ("model", "think", "effort"),
    [
        (THINKING, "low", "low"),
        (THINKING, "max", "high"),
        (THINKING, True, ""),
        (THINKING, None, ""),
        (SWITCHED, False, "none"),
        (BLIND, "high", ""),
    ],
)
async def test_thinking_becomes_the_nearest_effort(model: Model, think: Any, effort: str) -> None:
    assert (await asked(model, think=think)).reasoning_effort == effort


SCHEMA = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("json", {"type": "json_object"}),
        (SCHEMA, {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}),
        ("", None),
        (None, None),
    ],
)
async def test_a_format_is_json_or_a_schema(wanted: Any, expected: Any) -> None:
    assert (await asked(format=wanted)).response_format == expected
    assert (await prompted(format=wanted)).response_format == expected


@pytest.mark.parametrize("tools", [None, []])
async def test_no_tools_need_no_model_that_calls_them(tools: Any) -> None:
    assert (await asked(TOOLLESS, tools=tools)).parameters == {}


async def test_tools_are_passed_on() -> None:
    assert (await asked(tools=[LOOK_UP])).parameters == {"tools": [LOOK_UP]}


async def test_a_model_without_tools_says_so_in_the_words_that_programs_look_for() -> None:
    with pytest.raises(BadRequest) as caught:
        await asked(TOOLLESS, tools=[LOOK_UP])
    assert caught.value.public == '"m" does not support tools'


@pytest.mark.parametrize(
    ("ask", "fields", "param"),
    [
        (asked, {"model": ""}, "model"),
        (asked, {"messages": [{"role": "robot", "content": "a"}]}, "messages[0].role"),
        (asked, {"messages": [result("a")]}, "messages[0]"),
        (asked, {"messages": [calling(call("f")), result("a"), result("b")]}, "messages[2]"),
        (asked, {"messages": [asking("a", images=["?"])]}, "messages[0].images[0]"),
        (asked, {"messages": [asking("a", images=[PNG] * 5)]}, "messages[0].images"),
        (
            asked,
            {"messages": [calling({"function": {"name": "f", "arguments": "{}"}})]},
            "messages[0].tool_calls[0].function.arguments",
        ),
        (asked, {"think": "deeply"}, "think"),
        (asked, {"format": "xml"}, "format"),
        (asked, {"logprobs": True}, "logprobs"),
        (asked, {"options": {"temperature": "hot"}}, "options.temperature"),
        (asked, {"options": {"stop": ["a"] * 17}}, "options.stop"),
        (prompted, {"suffix": "return x"}, "suffix"),
        (prompted, {"raw": True}, "raw"),
        (prompted, {"template": "{{ .Prompt }}"}, "template"),
        (prompted, {"context": [1, 2]}, "context"),
        (prompted, {"images": ["?"]}, "images[0]"),
    ],
)
async def test_what_cannot_be_honoured_is_refused_by_name(
    ask: Any, fields: dict[str, Any], param: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        await ask(SEEING, **fields)
    assert caught.value.param == param


async def test_what_has_no_meaning_here_is_ignored() -> None:
    options = {"keep_alive": "5m", "truncate": True, "shift": True, "top_logprobs": 0}
    assert await asked(**options) == await asked()
    harmless = {"raw": False, "template": "", "context": [], "suffix": "", "width": 512}
    assert await prompted(**harmless) == await prompted()
