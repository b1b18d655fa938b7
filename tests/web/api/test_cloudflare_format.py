"""Cloudflare's addresses: the documents' requests work by changing the base URL."""

import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.api_keys import keys
from tests.support.api.api_client import (
    GEMMA,
    LOOK_UP,
    MODEL,
    MODELS,
    ApiClient,
    events_of,
    text_of,
)
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

BASE = "/client/v4/accounts/any-account/ai"
PROMPT = {"prompt": "where is new york?"}


async def run(program: ApiClient, body: Any = PROMPT, model: str = MODEL) -> Any:
    return await program.post(f"{BASE}/run/{model}", body)


def frame_of(chunk: Any) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


@pytest.mark.parametrize(
    "model", [MODEL, MODEL.replace("/", "%2F"), "@cf/meta/llama-2-7b-chat-int8"]
)
async def test_the_documents_request_gets_the_documented_answer(
    program: ApiClient, model: str
) -> None:
    found = (await run(program, model=model)).json()
    assert (found["success"], found["errors"], found["messages"]) == (True, [], [])
    assert "where is new york?" in found["result"]["response"]
    assert found["result"]["usage"]["total_tokens"] > 50


async def test_the_documents_stream_is_events_with_a_response(program: ApiClient) -> None:
    *events, done = await events_of(await run(program, {**PROMPT, "stream": True}))
    assert done == "[DONE]"
    assert "where is new york?" in "".join(event["response"] for event in events)
    assert events[-1]["usage"]["total_tokens"] > 50


async def test_a_model_of_openais_format_answers_in_it(program: ApiClient) -> None:
    messages = {"messages": [{"role": "user", "content": "Hello"}]}
    whole = (await run(program, messages, GEMMA)).json()["result"]
    assert "“Hello”" in whole["choices"][0]["message"]["content"]
    events = await events_of(await run(program, {**messages, "stream": True}, GEMMA))
    assert "“Hello”" in text_of(events)


async def test_a_model_may_be_named_in_the_body(program: ApiClient) -> None:
    body = {"model": MODEL, "input": PROMPT}
    found = (await program.post(f"{BASE}/run", body)).json()
    assert "where is new york?" in found["result"]["response"]


@pytest.mark.parametrize("tool", [LOOK_UP, {"name": "look_up", "parameters": {}}])
async def test_native_tool_calls(program: ApiClient, tool: Any) -> None:
    body = {"messages": [{"role": "user", "content": "/tool it"}], "tools": [tool]}
    whole = (await run(program, body)).json()["result"]
    assert whole["tool_calls"] == [{"name": "look_up", "arguments": {"query": "it"}}]
    events = await events_of(await run(program, {**body, "stream": True}))
    (call,) = next(event["tool_calls"] for event in events if "tool_calls" in event)
    assert json.loads(call["function"]["arguments"]) == {"query": "it"}


async def test_json_mode_takes_a_bare_schema_and_gives_an_object(program: ApiClient) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    wanted = {"type": "json_schema", "json_schema": schema}
    found = (await run(program, {**PROMPT, "response_format": wanted})).json()
    assert isinstance(found["result"]["response"], dict)


@pytest.mark.parametrize(
    "written",
    [r'{"query": "half \ud83d"}', '{"query": NaN}', '{"a":' * 3000 + "1" + "}" * 3000],
    ids=["half a character", "no number", "many levels"],
)
async def test_what_no_reader_of_json_takes_is_text(program: ApiClient, written: str) -> None:
    function = {"name": "look_up", "arguments": written}
    call = {"index": 0, "id": "a", "type": "function", "function": function}
    events: list[Any] = [
        {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    async with site_with(always(stream_of(*(frame_of(each) for each in events)))):
        found = await run(program, {**PROMPT, "tools": [LOOK_UP]})
    assert found.json()["result"]["tool_calls"] == [{"name": "look_up", "arguments": written}]
    async with site_with(always(stream_of(frame_of({"response": written}), b"data: [DONE]\n\n"))):
        found = await run(program, {**PROMPT, "response_format": {"type": "json_object"}})
    assert found.json()["result"]["response"] == written


@pytest.mark.parametrize("model", MODELS)
async def test_openais_addresses_below_an_account(program: ApiClient, model: str) -> None:
    body = {"model": model, "messages": [{"role": "user", "content": "Hello"}]}
    found = (await program.post(f"{BASE}/v1/chat/completions", body)).json()
    assert "“Hello”" in found["choices"][0]["message"]["content"]
    response = (await program.post(f"{BASE}/v1/responses", {"model": model, "input": "Hi"})).json()
    assert (response["object"], response["status"]) == ("response", "completed")
    listed = (await program.get(f"{BASE}/v1/models")).json()["data"]
    assert model in [each["id"] for each in listed]
    refused = await program.post(f"{BASE}/v1/chat/completions", {**body, "model": "x"})
    assert refused.json()["error"]["code"] == "model_not_found"


async def test_models_are_searched_page_by_page(program: ApiClient) -> None:
    found = (await program.get(f"{BASE}/models/search?per_page=2&search=llama")).json()
    assert len(found["result"]) == 2
    assert all("llama" in each["name"] for each in found["result"])
    assert found["result_info"]["total_count"] > 2


async def test_a_key_is_verified_as_a_token(program: ApiClient) -> None:
    for path in ("/client/v4/user/tokens/verify", "/client/v4/accounts/a/tokens/verify"):
        assert (await program.get(path)).json()["result"]["status"] == "active"
        refused = await ApiClient(keys.new_key()).get(path)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (401, 10000)


@pytest.mark.parametrize(
    ("body", "model", "status", "code"),
    [
        ({"prompt": "/error 3040"}, MODEL, 429, 3040),
        ({"prompt": "/error 4006"}, MODEL, 429, 4006),
        ({"prompt": "/error 5021"}, MODEL, 413, 5021),
        ({"prompt": "/error 3007"}, MODEL, 408, 3046),
        ({"prompt": "/error 502"}, MODEL, 502, 8005),
        (PROMPT, "@cf/none/such", 400, 5007),
        ({}, MODEL, 400, 5006),
        ({**PROMPT, "messages": []}, MODEL, 400, 5006),
        ({"prompt": ""}, MODEL, 400, 5006),
        ({**PROMPT, "lora": "x"}, MODEL, 400, 5006),
        ({**PROMPT, "max_tokens": "many"}, MODEL, 400, 5006),
    ],
)
async def test_an_error_has_cloudflares_status_and_code(
    program: ApiClient, body: Any, model: str, status: int, code: int
) -> None:
    response = await run(program, body, model)
    found = response.json()
    assert (response.status_code, found["errors"][0]["code"]) == (status, code)
    assert (found["success"], found["result"], found["messages"]) == (False, None, [])


@pytest.mark.parametrize("command", ["/cut 3", "/error-after 3"])
async def test_a_stream_that_breaks_off_ends_with_an_error(
    program: ApiClient, command: str
) -> None:
    events = await events_of(await run(program, {"prompt": command, "stream": True}))
    assert events[-1]["success"] is False
    assert events[-1]["errors"]


async def test_an_unknown_address_and_method_are_in_the_same_format(program: ApiClient) -> None:
    missing = await program.get("/client/v4/zones")
    assert (missing.status_code, missing.json()["errors"][0]["code"]) == (400, 7000)
    wrong = await program.get(f"{BASE}/run/{MODEL}")
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (405, 7001)


async def test_a_session_opens_none_of_these(alice_client: AsyncClient) -> None:
    response = await alice_client.post(
        f"{BASE}/run/{MODEL}", PROMPT, content_type="application/json"
    )
    assert response.status_code == 401
