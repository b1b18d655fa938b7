"""OpenAI's Responses API: text, reasoning, tools and structured output, whole and streamed."""

import json
from typing import Any

import pytest

from tests.support.api.api_client import GEMMA, GPT_OSS, MODEL, MODELS, ApiClient
from tests.support.api.responses_client import PATH, respond, streamed
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

TOOL = {"type": "function", "name": "look_up", "description": None, "strict": True}


@pytest.mark.parametrize("model", MODELS)
async def test_a_whole_response(program: ApiClient, model: str) -> None:
    found = (await respond(program, model=model)).json()
    assert (found["object"], found["status"], found["model"]) == ("response", "completed", model)
    assert found["id"].startswith("resp_")
    message = found["output"][-1]
    assert (message["type"], message["role"]) == ("message", "assistant")
    (part,) = message["content"]
    assert part["type"] == "output_text"
    assert "“Hello”" in part["text"]
    usage = found["usage"]
    assert usage["input_tokens"] + usage["output_tokens"] == usage["total_tokens"] > 50
    assert found["error"] is None


async def test_a_stream_announces_each_item_and_ends_with_the_response(program: ApiClient) -> None:
    events = await streamed(program)
    kinds = [each["type"] for each in events]
    assert kinds[:4] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ]
    assert kinds[-4:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    deltas = [each for each in events if each["type"] == "response.output_text.delta"]
    text = "".join(each["delta"] for each in deltas)
    final = events[-1]["response"]
    assert final["output"][0]["content"][0]["text"] == text
    assert {each["item_id"] for each in deltas} == {final["output"][0]["id"]}
    assert final["usage"]["total_tokens"] > 50


async def test_reasoning_is_an_item_of_its_own(program: ApiClient) -> None:
    events = await streamed(program, "/think", model=GPT_OSS)
    reasoning, message = events[-1]["response"]["output"]
    assert (reasoning["type"], message["type"]) == ("reasoning", "message")
    text = "".join(
        each["delta"] for each in events if each["type"] == "response.reasoning_text.delta"
    )
    assert reasoning["content"] == [{"type": "reasoning_text", "text": text}]
    assert text


@pytest.mark.parametrize("model", [MODEL, GEMMA])
async def test_a_tool_is_called_and_its_result_read(program: ApiClient, model: str) -> None:
    question = {"role": "user", "content": [{"type": "input_text", "text": "/tool the level"}]}
    options = {"model": model, "tools": [TOOL]}
    events = await streamed(program, [question], **options)
    call = events[-1]["response"]["output"][-1]
    assert (call["type"], call["name"]) == ("function_call", "look_up")
    assert json.loads(call["arguments"]) == {"query": "the level"}
    result = {"type": "function_call_output", "call_id": call["call_id"], "output": "4.2 m"}
    last = (await respond(program, [question, call, result], **options)).json()
    assert "4.2 m" in last["output"][-1]["content"][0]["text"]


async def test_json_is_of_the_schema_that_was_sent(program: ApiClient) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    wanted = {"format": {"type": "json_schema", "name": "x", "schema": schema, "strict": True}}
    for model in MODELS:
        found = (await respond(program, model=model, text=wanted)).json()
        json.loads(found["output"][-1]["content"][0]["text"])
        assert found["text"]["format"]["type"] == "json_schema"


async def test_a_cut_response_is_incomplete(program: ApiClient) -> None:
    found = (await respond(program, "/long", max_output_tokens=20)).json()
    assert (found["status"], found["incomplete_details"]) == (
        "incomplete",
        {"reason": "max_output_tokens"},
    )
    assert (await streamed(program, "/long", max_output_tokens=20))[-1]["type"] == (
        "response.incomplete"
    )


async def test_the_input_is_the_conversation(program: ApiClient) -> None:
    told = stream_of(b'data: {"response":"Well"}\n\n', b"data: [DONE]\n\n")
    call = {"type": "function_call", "call_id": "c", "name": "a", "arguments": "{}"}
    result = {"type": "function_call_output", "output": "1"}
    given = [
        {"role": "developer", "content": "Be kind."},
        {"type": "message", "role": "user", "content": "Hi"},
        {"type": "reasoning", "summary": []},
        {**call, "call_id": "c1"},
        {**call, "call_id": "c2"},
        {**result, "call_id": "c1"},
        {**result, "call_id": "c2"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "One."}]},
        {"role": "user", "content": "Why?"},
    ]
    async with site_with(always(told)) as raw:
        await respond(program, given, instructions="Be brief.")
    sent = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])["messages"]
    assert [each["role"] for each in sent] == [
        "system", "user", "assistant", "tool", "tool", "assistant", "user",
    ]  # fmt: skip
    assert sent[0]["content"] == "Be brief.\n\nBe kind."
    assert [each["id"] for each in sent[2]["tool_calls"]] == ["c1", "c2"]


@pytest.mark.parametrize("command", ["/cut 3", "/error-after 3", "/reset 3"])
async def test_a_stream_that_breaks_off_ends_with_an_error(
    program: ApiClient, command: str
) -> None:
    *_events, error, failed = await streamed(program, command)
    assert error["type"] == "error"
    assert error["message"] == error["error"]["message"] == failed["response"]["error"]["message"]
    assert error["code"] == error["error"]["code"]
    assert (failed["type"], failed["response"]["status"]) == ("response.failed", "failed")
    assert (await respond(program, command)).status_code == 502


async def test_an_answer_in_the_input_needs_content(program: ApiClient) -> None:
    answer = {"role": "assistant", "content": None}
    refused = await respond(program, [{"role": "user", "content": "Hello"}, answer])
    assert refused.status_code == 400
    assert refused.json()["error"]["param"] == "input[1].content"


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        ({"input": []}, "input"),
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input[0]"),
        ({"reasoning": {"effort": "enormous"}}, "reasoning.effort"),
    ],
)
async def test_what_is_not_supported_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.post(PATH, {"model": MODEL, "input": "Hello", **options})
    assert (response.status_code, response.json()["error"]["param"]) == (400, param)


@pytest.mark.parametrize(
    "options",
    [
        {"store": True, "include": ["reasoning.encrypted_content"], "truncation": "auto"},
        {"background": False, "metadata": {}, "user": "x", "previous_response_id": None},
        {"reasoning": {"effort": None, "summary": "auto"}, "text": {"verbosity": "low"}},
        {"tool_choice": "auto", "tools": [], "parallel_tool_calls": True, "max_tool_calls": 3},
    ],
)
async def test_what_clients_send_besides_is_tolerated(
    program: ApiClient, options: dict[str, Any]
) -> None:
    response = await respond(program, **options)
    assert response.status_code == 200, response.content
