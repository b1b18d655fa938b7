"""A tool call that the length limit cut is not passed off as a whole one."""

import json

import pytest

from tests.support.api.api_client import GEMMA, LOOK_UP, ApiClient, events_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

FLAT = {"type": "function", "name": "look_up", "parameters": {}}


def cut_call(arguments: str) -> tuple[bytes, ...]:
    """Return the events of a provider whose model reaches its limit in a call."""
    call = {"index": 0, "id": "a", "function": {"name": "look_up", "arguments": arguments}}
    choices = [
        {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "length"},
    ]
    events = (b"data: " + json.dumps({"choices": [each]}).encode() + b"\n\n" for each in choices)
    return (*events, b"data: [DONE]\n\n")


CUT = cut_call('{"query": "half')


async def test_a_chat_completion_ends_with_length(program: ApiClient) -> None:
    async with site_with(always(stream_of(*CUT))):
        body = (await program.complete(model=GEMMA, tools=[LOOK_UP])).json()
        response = await program.complete(model=GEMMA, tools=[LOOK_UP], stream=True)
        *_, last, _done = await events_of(response)
    (choice,) = body["choices"]
    assert choice["finish_reason"] == last["choices"][0]["finish_reason"] == "length"
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"query": "half'


@pytest.mark.parametrize("stream", [False, True])
async def test_a_response_is_incomplete(program: ApiClient, stream: bool) -> None:
    async with site_with(always(stream_of(*CUT))):
        body = {"model": GEMMA, "input": "Hello", "tools": [FLAT], "stream": stream}
        response = await program.post("/v1/responses", body)
        if stream:
            sent = b"".join([part async for part in response.streaming_content])
            event = json.loads(sent.rpartition(b"\ndata: ")[2])
            assert event["type"] == "response.incomplete"
        last = event["response"] if stream else response.json()
    assert last["status"] == "incomplete"
    assert last["incomplete_details"] == {"reason": "max_output_tokens"}
    assert [(item["type"], item["status"]) for item in last["output"]] == [
        ("function_call", "incomplete")
    ]


async def test_a_format_without_reasons_ends_with_length_too(program: ApiClient) -> None:
    half = (
        b'data: {"response":"","tool_calls":[{"name":"look_up","arguments":"{\\"query\\": "}]}\n\n'
    )
    async with site_with(always(stream_of(half, b"data: [DONE]\n\n"))):
        body = (await program.complete(tools=[LOOK_UP])).json()
    assert body["choices"][0]["finish_reason"] == "length"


async def test_arguments_that_never_began_stay_empty(program: ApiClient) -> None:
    async with site_with(always(stream_of(*cut_call("")))):
        body = (await program.complete(model=GEMMA, tools=[LOOK_UP])).json()
    assert body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == ""
