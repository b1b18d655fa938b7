"""The emulator refuses what Workers AI refuses."""

from typing import Any

import pytest

from chat.emulator import Emulator
from chat.lib.catalogue import Model
from tests.emulator.exchange import (
    CHAT_COMPLETIONS,
    GEMMA,
    LLAMA,
    SCOUT,
    Reply,
    run_path,
    send,
)

HELLO = [{"role": "user", "content": "Hello"}]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
QWEN = "@cf/qwen/qwen3.8-27b"


async def refused(emulator: Emulator, document: Any, model: str = LLAMA) -> Reply:
    reply = await send(emulator, document, run_path(model))
    assert reply.status >= 400
    return reply


async def accepted(emulator: Emulator, document: dict[str, Any], model: str = LLAMA) -> None:
    reply = await send(emulator, document, run_path(model))
    assert reply.status == 200, reply.raw


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        (b"{", "not valid JSON"),
        (b"", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        (b'{"prompt": NaN}', "not valid JSON"),
        ([1], "Type mismatch of '/', 'array' not in 'object'"),
        ({}, "required properties at '/' are 'prompt', required properties at '/' are 'messages'"),
        ({"prompt": "a", "messages": HELLO}, "mutually exclusive"),
        ({"prompt": ""}, "Length of '/prompt'"),
        ({"prompt": 1}, "Type mismatch of '/prompt', 'number' not in 'string'"),
        ({"messages": "Hello"}, "Type mismatch of '/messages', 'string' not in 'array'"),
        ({"messages": []}, "'/messages' must not be empty"),
        ({"messages": ["Hello"]}, "Type mismatch of '/messages/0', 'string' not in 'object'"),
        ({"messages": [{"role": "poet", "content": "a"}]}, "'/messages/0/role' is not a role"),
        ({"messages": [{"role": "user"}]}, "'/messages/0/content', 'null' not in 'string'"),
        (
            {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
            "Type mismatch of '/messages/0/content', 'array' not in 'string'",
        ),
        ({"messages": HELLO, "stream": 1}, "Type mismatch of '/stream', 'number' not in 'boolean'"),
        ({"messages": HELLO, "stream_options": True}, "Type mismatch of '/stream_options'"),
        ({"messages": HELLO, "tools": {}}, "Type mismatch of '/tools', 'object' not in 'array'"),
    ],
)
async def test_a_malformed_request_is_5006_and_says_where(
    emulator: Emulator, document: Any, complaint: str
) -> None:
    reply = await refused(emulator, document)
    assert (reply.status, reply.code) == (400, 5006)
    assert reply.message.startswith("AiError: AiError: Bad input: Error: ")
    assert complaint in reply.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", 0),
        ("max_tokens", -5),
        ("max_tokens", 1.5),
        ("max_tokens", "100"),
        ("max_tokens", None),
        ("temperature", 5.1),
        ("temperature", -0.1),
        ("temperature", True),
        ("top_p", 0),
        ("top_p", 1.1),
        ("top_k", 0),
        ("top_k", 51),
        ("seed", 0),
        ("seed", 10_000_000_000),
        ("repetition_penalty", 2.1),
        ("frequency_penalty", -2.1),
        ("presence_penalty", 2.1),
    ],
)
async def test_a_parameter_out_of_range_is_5006_on_native_models(
    emulator: Emulator, name: str, value: Any
) -> None:
    reply = await refused(emulator, {"messages": HELLO, name: value})
    assert reply.code == 5006
    assert f"'/{name}'" in reply.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", 2.1),
        ("n", 0),
        ("n", 129),
        ("top_logprobs", 21),
        ("max_completion_tokens", 0),
    ],
)
async def test_openai_models_have_ranges_of_their_own(
    emulator: Emulator, name: str, value: Any
) -> None:
    assert (await refused(emulator, {"messages": HELLO, name: value}, GEMMA)).code == 5006


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "seed", "top_p"])
async def test_openai_models_accept_null_for_missing_parameters(
    emulator: Emulator, name: str
) -> None:
    await accepted(emulator, {"messages": HELLO, name: None}, GEMMA)


async def test_the_bounds_of_a_range_are_valid(emulator: Emulator) -> None:
    await accepted(
        emulator,
        {
            "messages": HELLO,
            "temperature": 5,
            "top_p": 0.001,
            "top_k": 50,
            "seed": 9_999_999_999,
            "repetition_penalty": 0,
            "max_tokens": 1,
        },
    )


async def test_content_parts_are_only_for_vision_or_openai_models(emulator: Emulator) -> None:
    parts = [{"type": "text", "text": "What is this?"}, PICTURE]
    document = {"messages": [{"role": "user", "content": parts}]}
    await accepted(emulator, document, SCOUT)
    await accepted(emulator, document, GEMMA)
    assert (await refused(emulator, document, LLAMA)).code == 5006


async def test_an_image_for_a_text_only_model_is_8001(emulator: Emulator) -> None:
    document = {"messages": [{"role": "user", "content": [PICTURE]}]}
    assert (await refused(emulator, document, "@cf/openai/gpt-oss-20b")).code == 8001


async def test_an_image_url_is_8006(emulator: Emulator) -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    document = {"messages": [{"role": "user", "content": [picture]}]}
    assert (await refused(emulator, document, GEMMA)).code == 8006


async def test_an_unknown_content_part_is_5006(emulator: Emulator) -> None:
    document = {"messages": [{"role": "user", "content": [{"type": "smell"}]}]}
    assert (await refused(emulator, document, GEMMA)).code == 5006


async def test_null_content_with_tool_calls_is_only_for_openai_models(emulator: Emulator) -> None:
    called = {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}
    document = {"messages": [*HELLO, called, {"role": "tool", "content": "4"}]}
    await accepted(emulator, document, GEMMA)
    assert (await refused(emulator, document, LLAMA)).code == 5006


@pytest.mark.parametrize(
    "tool", [{"name": "a", "description": False}, {"type": "function"}, "a", {"function": {}}]
)
async def test_a_tool_without_name_or_description_is_8001(emulator: Emulator, tool: Any) -> None:
    assert (await refused(emulator, {"messages": HELLO, "tools": [tool]})).code == 8001


async def test_tool_choice_any_is_8001_on_openai_models(emulator: Emulator) -> None:
    assert (await refused(emulator, {"messages": HELLO, "tool_choice": "any"}, GEMMA)).code == 8001


async def test_some_models_require_the_system_message_first(emulator: Emulator) -> None:
    document = {"messages": [*HELLO, {"role": "system", "content": "Be brief."}]}
    reply = await refused(emulator, document, QWEN)
    assert reply.code == 8007
    assert "System message must be at the beginning" in reply.message
    await accepted(emulator, document, LLAMA)


async def test_prompt_and_answer_together_must_fit_the_window(emulator: Emulator) -> None:
    await accepted(emulator, {"messages": HELLO, "max_tokens": 23_995})
    reply = await refused(emulator, {"messages": HELLO, "max_tokens": 23_996})
    assert (reply.status, reply.code) == (413, 5021)
    assert (
        "The estimated number of input and maximum output tokens (24001) exceeded this model "
        "context window limit (24000)." in reply.message
    )


async def test_a_prompt_alone_can_exceed_the_window(emulator: Emulator) -> None:
    document = {"prompt": "river " * 140_000}
    assert (await refused(emulator, document, GEMMA)).code == 5021


async def test_chat_completions_refuses_in_the_same_envelope(emulator: Emulator) -> None:
    reply = await send(emulator, {"model": LLAMA, "messages": []}, CHAT_COMPLETIONS)
    assert reply.code == 5006
    assert set(reply.json) == {"errors", "success", "result", "messages"}


async def test_an_adapter_is_refused_by_models_that_take_none(emulator: Emulator) -> None:
    adapted = {"messages": HELLO, "lora": "house-style"}
    await accepted(emulator, adapted, LLAMA)
    reply = await refused(emulator, adapted, GEMMA)
    assert (reply.status, reply.code) == (405, 5005)


async def test_an_answer_without_a_limit_has_the_models_own(emulator: Emulator) -> None:
    model = Model(id="@cf/house/brew", context_window=8000, default_max_tokens=40)
    long = {"messages": [{"role": "user", "content": "/long 100"}]}
    reply = await send(
        Emulator(tokens_per_second=0, catalogue={model.id: model}), long, run_path(model.id)
    )
    assert reply.json["result"]["usage"]["completion_tokens"] == 40


@pytest.mark.parametrize("url", ["data:image/png;base64,no!", "data:image/png;base64,"])
async def test_an_image_that_cannot_be_decoded_is_8006(emulator: Emulator, url: str) -> None:
    picture = {"type": "image_url", "image_url": {"url": url}}
    document = {"messages": [{"role": "user", "content": [picture]}]}
    assert (await refused(emulator, document, SCOUT)).code == 8006
