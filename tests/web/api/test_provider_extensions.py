"""What a provider needs back, or knows beyond Workers AI, passes through the API unchanged."""

import json
from typing import Any

import pytest

from tests.support.api.api_client import GEMMA, LOOK_UP, ApiClient, events_of
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

SIGNED = {"google": {"thought_signature": "c2lnbmVk"}}
CALL = {"id": "f1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
CHOICE = {"delta": {"tool_calls": [{**CALL, "extra_content": SIGNED}]}, "finish_reason": "stop"}
ANSWER = stream_of(b"data: " + json.dumps({"choices": [CHOICE]}).encode() + b"\n\n")
STRICT = {"type": "function", "function": {**LOOK_UP["function"], "strict": True}}
FLAT = {"type": "function", "name": "look_up", "parameters": {}, "strict": True}
RESULT = {"role": "tool", "tool_call_id": "f1", "content": "4 m"}
MESSAGES = [
    {"role": "user", "content": "Hello", "name": "ann"},
    {"role": "user", "content": "Hi", "name": "ben"},
    {"role": "assistant", "content": None, "tool_calls": [{**CALL, "extra_content": SIGNED}]},
    RESULT,
]


def body_of(request: bytes) -> Any:
    return json.loads(request.partition(b"\r\n\r\n")[2])


async def test_a_calls_signature_reaches_the_client(program: ApiClient) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai"):
        whole = (await program.complete(model=GEMMA, tools=[LOOK_UP])).json()
        response = await program.complete(model=GEMMA, tools=[LOOK_UP], stream=True)
        *events, _done = await events_of(response)
        body = {"model": GEMMA, "input": "Hello", "tools": [FLAT]}
        (item,) = (await program.post("/v1/responses", body)).json()["output"]
    (call,) = whole["choices"][0]["message"]["tool_calls"]
    streamed = [each["choices"][0]["delta"].get("tool_calls", [{}])[0] for each in events]
    found = [each["extra_content"] for each in streamed if "extra_content" in each]
    assert [call["extra_content"], *found, item["extra_content"]] == [SIGNED] * 3


async def test_it_goes_back_to_the_provider_with_names_and_strict_tools(program: ApiClient) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai") as raw:
        await program.complete(model=GEMMA, tools=[STRICT], messages=MESSAGES)
    sent = body_of(raw.requests[0])
    assert sent["tools"][0]["function"]["strict"] is True
    assert [each.get("name") for each in sent["messages"]] == ["ann", "ben", None, None]
    assert sent["messages"][2]["tool_calls"][0]["extra_content"] == SIGNED


async def test_a_response_sends_it_back_too(program: ApiClient) -> None:
    item = {"type": "function_call", "call_id": "f1", "name": "look_up", "extra_content": SIGNED}
    output = {"type": "function_call_output", "call_id": "f1", "output": "4 m"}
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="openai") as raw:
        body = {"model": GEMMA, "input": [item, output], "tools": [FLAT]}
        await program.post("/v1/responses", body)
    sent = body_of(raw.requests[0])
    assert sent["messages"][0]["tool_calls"][0]["extra_content"] == SIGNED
    assert sent["tools"][0]["function"]["strict"] is True


@pytest.mark.parametrize("word", ["extra_content", "strict", '"name":"ann"'])
async def test_workers_ai_gets_none_of_it(program: ApiClient, word: str) -> None:
    async with site_with(always(ANSWER), UPSTREAM_PROTOCOL="workers-ai") as raw:
        await program.complete(model=GEMMA, tools=[STRICT], messages=MESSAGES)
    sent = body_of(raw.requests[0])
    assert word not in json.dumps(sent, separators=(",", ":"))
    assert sent["messages"][0] == {"role": "user", "content": "Hello\n\nHi"}
