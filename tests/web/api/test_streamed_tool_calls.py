"""Tool calls are relayed while the model writes their arguments."""

import asyncio
import json
from typing import Any

import pytest

from tests.support.api.api_client import GEMMA, LOOK_UP, MODEL, ApiClient, events_of
from tests.support.upstream.raw_upstream import EVENT_STREAM, always, chunk, stream_of
from tests.support.upstream.upstream_override import site_with

FLAT = {"type": "function", "name": "look_up", "parameters": {}}


def fragment(index: int = 0, name: str = "", arguments: str = "", call_id: str = "") -> bytes:
    """Return an event with a fragment of a call, as OpenAI's models send them."""
    function = {"name": name} if name else {}
    call: dict[str, Any] = {"index": index, "function": {**function, "arguments": arguments}}
    call |= {"id": call_id} if call_id else {}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


END = (
    b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    b"data: [DONE]\n\n",
)
OPENED = fragment(name="look_up", call_id="functions.look_up:0")
PIECES = ['{"qu', 'ery": ', '"x"}']
CALL = (OPENED, *(fragment(arguments=each) for each in PIECES), *END)


async def calls_in(program: ApiClient, *sent: bytes, **options: Any) -> list[Any]:
    """Return the pieces of calls that a client gets for what the provider sends."""
    async with site_with(always(stream_of(*sent))):
        response = await program.complete(model=GEMMA, tools=[LOOK_UP], stream=True, **options)
        *events, _done = await events_of(response)
    assert events[-1]["choices"][0]["finish_reason"] in {"tool_calls", "stop"}
    found = [each["choices"][0]["delta"].get("tool_calls") for each in events]
    return [piece for pieces in found for piece in pieces or ()]


async def test_each_piece_of_the_arguments_is_a_piece_for_the_client(program: ApiClient) -> None:
    first, *rest = await calls_in(program, *CALL)
    assert (first["index"], first["type"]) == (0, "function")
    assert first["function"] == {"name": "look_up", "arguments": ""}
    assert rest == [{"index": 0, "function": {"arguments": each}} for each in PIECES]


async def test_a_piece_arrives_before_the_next_is_written(program: ApiClient) -> None:
    has_arrived = asyncio.Event()

    async def slow(_request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM + chunk(OPENED) + chunk(fragment(arguments="{")))
        await writer.drain()
        await has_arrived.wait()
        rest = (fragment(arguments="}"), *END)
        writer.write(b"".join(map(chunk, rest)) + chunk(b""))

    async with site_with(slow):
        response = await program.complete(model=GEMMA, tools=[LOOK_UP], stream=True)
        got = b""
        async for part in response.streaming_content:
            got += part
            if b'"arguments":"{"' in got:
                has_arrived.set()
    assert got.endswith(b"data: [DONE]\n\n")


async def test_calls_at_once_keep_their_pieces_apart(program: ApiClient) -> None:
    sent = (
        fragment(0, "look_up"),
        fragment(1, "look_down"),
        fragment(0, arguments='{"a":'),
        fragment(1, arguments='{"b":'),
        fragment(0, arguments="1}"),
        fragment(1, arguments="2}"),
    )
    pieces = await calls_in(program, *sent, *END)
    texts = dict.fromkeys((0, 1), "")
    for piece in pieces:
        texts[piece["index"]] += piece["function"]["arguments"]
    assert texts == {0: '{"a":1}', 1: '{"b":2}'}
    ids = [piece["id"] for piece in pieces if "id" in piece]
    assert len(set(ids)) == 2


async def test_arguments_wait_for_the_name(program: ApiClient) -> None:
    sent = (fragment(arguments='{"a":'), fragment(name="look_up"), fragment(arguments="1}"))
    first, *rest = await calls_in(program, *sent, *END)
    assert first["function"]["name"] == "look_up"
    assert [each["function"]["arguments"] for each in rest] == ['{"a":', "1}"]


async def test_a_call_without_arguments_gets_an_empty_object(program: ApiClient) -> None:
    first, rest = await calls_in(program, OPENED, *END)
    assert first["function"]["name"] == "look_up"
    assert rest["function"]["arguments"] == "{}"


async def test_a_name_that_is_repeated_is_told_once(program: ApiClient) -> None:
    again = fragment(name="look_up", arguments="}", call_id="functions.look_up:0")
    pieces = await calls_in(program, OPENED, fragment(arguments="{"), again, *END)
    assert [each["function"].get("name") for each in pieces] == ["look_up", None, None]


async def test_long_arguments_are_told_in_several_pieces(program: ApiClient) -> None:
    long = json.dumps({"query": "é" * 9000}, ensure_ascii=False)
    _first, *rest = await calls_in(program, OPENED, fragment(arguments=long), *END)
    assert len(rest) > 1
    assert "".join(each["function"]["arguments"] for each in rest) == long


async def test_nothing_is_called_after_a_stop_sequence(program: ApiClient) -> None:
    said = b'data: {"choices":[{"index":0,"delta":{"content":"So. END"}}]}\n\n'
    assert await calls_in(program, said, *CALL, stop="END") == []


async def test_an_error_among_the_arguments_ends_the_stream(program: ApiClient) -> None:
    broken = b'data: {"error":{"message":"x","code":500}}\n\n'
    async with site_with(always(stream_of(OPENED, fragment(arguments="{"), broken))):
        response = await program.complete(model=GEMMA, tools=[LOOK_UP], stream=True)
        events = await events_of(response)
    assert "error" in events[-1] or "error" in events[-2]
    reasons = [each["choices"][0]["finish_reason"] for each in events if "choices" in each]
    assert set(reasons) == {None}


async def test_a_response_tells_each_piece_too(program: ApiClient) -> None:
    async with site_with(always(stream_of(*CALL))):
        body = {"model": GEMMA, "input": "Hello", "tools": [FLAT], "stream": True}
        response = await program.post("/v1/responses", body)
        sent = b"".join([part async for part in response.streaming_content]).decode()
    blocks = [block.split("\ndata: ")[1] for block in sent.strip().split("\n\n")]
    events = [json.loads(each) for each in blocks]
    kinds = [each["type"].removeprefix("response.") for each in events]
    assert kinds == [
        "created",
        "in_progress",
        "output_item.added",
        *["function_call_arguments.delta"] * 3,
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert events[2]["item"]["arguments"] == ""
    assert [each["delta"] for each in events[3:6]] == PIECES
    (item,) = events[-1]["response"]["output"]
    assert (item["status"], item["arguments"]) == ("completed", '{"query": "x"}')
    assert events[-2]["item"] == item
    assert {each["item_id"] for each in events[3:7]} == {item["id"]}


@pytest.mark.parametrize("stream", [True, False])
async def test_workers_ais_own_format_has_whole_calls(program: ApiClient, stream: bool) -> None:
    path = f"/client/v4/accounts/any/ai/run/{MODEL}"
    native = (
        b'data: {"response":"","tool_calls":[{"name":"look_up","arguments":{"query":"x"}}]}\n\n'
    )
    async with site_with(always(stream_of(native, b"data: [DONE]\n\n"))):
        body = {"prompt": "Hello", "tools": [LOOK_UP], "stream": stream}
        response = await program.post(path, body)
        if not stream:
            (call,) = response.json()["result"]["tool_calls"]
            assert call == {"name": "look_up", "arguments": {"query": "x"}}
            return
        events = await events_of(response)
    (found,) = [each["tool_calls"] for each in events if each != "[DONE]" and "tool_calls" in each]
    assert json.loads(found[0]["function"]["arguments"]) == {"query": "x"}
