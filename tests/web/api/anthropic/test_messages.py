"""Messages: whole and streamed, field by field as Anthropic's SDK declares them."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.api.api_client import GEMMA, GPT_OSS, MODELS, ApiClient
from tests.support.api.messages_client import (
    WEATHER,
    collected,
    create,
    events_of,
)
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

if TYPE_CHECKING:
    from anthropic import types
else:
    types = imported_later("anthropic.types")

THINKING = {"type": "enabled", "budget_tokens": 2000}


@pytest.mark.parametrize("model", MODELS)
async def test_a_whole_answer_is_one_message(program: ApiClient, model: str) -> None:
    response = await create(program, model=model)
    assert response.status_code == 200, response.content
    found = response.json()
    message = require_conforming(types.Message, found)
    (block,) = message.content
    assert "“Hello”" in block.text
    assert (message.role, message.model, message.stop_reason) == ("assistant", model, "end_turn")
    assert found["stop_sequence"] is None
    assert message.id.startswith("msg_")
    assert message.usage.input_tokens > 0
    assert message.usage.output_tokens > 50
    assert response["Request-Id"] == response["X-Request-ID"]


@pytest.mark.parametrize("model", MODELS)
async def test_a_stream_has_the_events_in_their_order(program: ApiClient, model: str) -> None:
    response = await create(program, model=model, stream=True)
    assert response["Content-Type"] == "text/event-stream"
    start, *rest = await events_of(response)
    *_blocks, delta, stop = rest
    assert start["type"] == "message_start"
    assert start["message"]["content"] == []
    assert start["message"]["stop_reason"] is None
    assert start["message"]["usage"]["input_tokens"] > 0
    (block,) = collected(rest)
    assert "“Hello”" in block["text"]
    assert delta["delta"] == {"stop_reason": "end_turn", "stop_sequence": None}
    assert delta["usage"]["output_tokens"] > 50
    assert stop == {"type": "message_stop"}


async def test_thinking_is_a_signed_block_before_the_text(program: ApiClient) -> None:
    options = {"model": GPT_OSS, "thinking": THINKING}
    thought, said = (await create(program, "/think", **options)).json()["content"]
    assert thought["thinking"]
    assert thought["signature"]
    assert said["type"] == "text"
    streamed = collected(await events_of(await create(program, "/think", **options, stream=True)))
    assert [each["type"] for each in streamed] == ["thinking", "text"]
    assert streamed[0]["thinking"]
    assert streamed[0]["signature"]


@pytest.mark.parametrize("thinking", [None, {"type": "disabled"}])
async def test_thinking_is_left_out_unless_it_is_asked_for(
    program: ApiClient, thinking: Any
) -> None:
    options = {"model": GPT_OSS, "thinking": thinking}
    (block,) = (await create(program, "/think", **options)).json()["content"]
    assert block["type"] == "text"
    events = await events_of(await create(program, "/think", **options, stream=True))
    assert [each["type"] for each in collected(events)] == ["text"]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("model", MODELS)
async def test_a_tool_is_called(program: ApiClient, model: str, stream: bool) -> None:
    options = {"model": model, "tools": [WEATHER], "stream": stream}
    response = await create(program, "/tool the level", **options)
    if stream:
        events = await events_of(response)
        (call,) = collected(events)
        reason = events[-2]["delta"]["stop_reason"]
    else:
        found = response.json()
        require_conforming(types.Message, found)
        (call,), reason = found["content"], found["stop_reason"]
    assert (call["type"], call["name"], reason) == ("tool_use", "look_up", "tool_use")
    assert call["input"] == {"query": "the level"}
    assert call["id"].startswith("toolu_")


async def test_an_answer_cut_at_the_limit_says_so(program: ApiClient) -> None:
    found = (await create(program, "/long", max_tokens=20)).json()
    assert (found["stop_reason"], found["usage"]["output_tokens"]) == ("max_tokens", 20)


async def test_a_filtered_answer_is_a_refusal(program: ApiClient) -> None:
    found = (await create(program, "/filtered", model=GEMMA)).json()
    assert found["stop_reason"] == "refusal"


async def test_cached_tokens_are_apart_from_the_others(program: ApiClient) -> None:
    usage = (await create(program, "/cached 5", model=GEMMA)).json()["usage"]
    assert usage["cache_read_input_tokens"] == 5
    assert usage["input_tokens"] > 0


async def test_usage_is_estimated_if_the_provider_counts_nothing(program: ApiClient) -> None:
    said = b'data: {"response":"Good morning."}\n\n'
    async with site_with(always(stream_of(said, b"data: [DONE]\n\n"))):
        message = require_conforming(types.Message, (await create(program)).json())
    assert message.usage.input_tokens > 0
    assert message.usage.output_tokens > 0


def fragment(index: int, arguments: str, name: str = "") -> bytes:
    call = {"index": index, "function": {"name": name, "arguments": arguments}}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


END = (
    b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    b"data: [DONE]\n\n",
)
TEXT = b'data: {"choices":[{"index":0,"delta":{"content":"So."}}]}\n\n'
#: What a model writes, and the blocks that it becomes.
ORDERS: dict[str, tuple[list[bytes], list[Any]]] = {
    "one after the other": (
        [fragment(0, '{"a":', "f"), fragment(0, "1}"), fragment(1, '{"b":2}', "g")],
        [{"a": 1}, {"b": 2}],
    ),
    "both at once": (
        [
            fragment(0, "", "f"),
            fragment(1, "", "g"),
            fragment(0, '{"a":'),
            fragment(1, '{"b":'),
            fragment(0, "1}"),
            fragment(1, "2}"),
        ],
        [{"a": 1}, {"b": 2}],
    ),
    "more of a call that is whole": (
        [fragment(0, "{}", "f"), fragment(1, '{"b":2}', "g"), fragment(0, " ")],
        [{}, {"b": 2}],
    ),
    "without arguments": ([fragment(0, "", "f"), fragment(1, "", "g")], [{}, {}]),
    "text among the arguments": (
        [fragment(0, '{"a":', "f"), TEXT, fragment(0, "1}"), TEXT],
        [{"a": 1}, "So.So."],
    ),
    "text after a call": ([fragment(0, "{}", "f"), TEXT], [{}, "So."]),
    "arguments that are no object": ([fragment(0, "[1]", "f")], [{}]),
    "nothing": ([], [""]),
}


@pytest.mark.parametrize("order", ORDERS)
async def test_only_one_block_is_open_at_a_time(program: ApiClient, order: str) -> None:
    sent, expected = ORDERS[order]
    sent = [*sent, *END]
    async with site_with(always(stream_of(*sent))):
        options = {"model": GEMMA, "tools": [WEATHER]}
        whole = (await create(program, **options)).json()
        events = await events_of(await create(program, **options, stream=True))
    assert [each.get("text", each.get("input")) for each in whole["content"]] == expected
    require_conforming(types.Message, whole)
    if order != "arguments that are no object":
        blocks = collected(events)
        assert [each.get("text", each.get("input")) for each in blocks] == expected
    ids = [each["id"] for each in whole["content"] if "id" in each]
    assert len(set(ids)) == len(ids)
