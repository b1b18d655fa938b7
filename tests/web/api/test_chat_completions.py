"""Chat completions: whole and streamed, in the shape that OpenAI's clients need."""

import json
from typing import Any

import pytest

from tests.support.api.api_client import GPT_OSS, MODELS, ApiClient, events_of, text_of


@pytest.mark.parametrize("model", MODELS)
async def test_a_whole_answer_is_one_completion(program: ApiClient, model: str) -> None:
    response = await program.complete(model=model)
    found = response.json()
    (choice,) = found["choices"]
    assert (found["object"], found["model"]) == ("chat.completion", model)
    assert found["id"].startswith("chatcmpl-")
    assert isinstance(found["created"], int)
    assert choice["message"]["role"] == "assistant"
    assert "“Hello”" in choice["message"]["content"]
    assert (choice["index"], choice["finish_reason"], choice["logprobs"]) == (0, "stop", None)
    usage = found["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 50
    assert response["X-Request-ID"]


@pytest.mark.parametrize("model", MODELS)
async def test_every_chunk_of_a_stream_has_what_strict_clients_need(
    program: ApiClient, model: str
) -> None:
    response = await program.complete(model=model, stream=True)
    assert response["Content-Type"] == "text/event-stream"
    assert response["X-Accel-Buffering"] == "no"
    *chunks, done = await events_of(response)
    assert done == "[DONE]"
    heads = {(c["id"], c["object"], c["created"], c["model"]) for c in chunks}
    assert len(heads) == 1
    assert all(set(c) == {"id", "object", "created", "model", "choices"} for c in chunks)
    first, *middle, last = [chunk["choices"][0] for chunk in chunks]
    assert first["delta"] == {"role": "assistant", "content": ""}
    assert (last["delta"], last["finish_reason"]) == ({}, "stop")
    assert all(choice["finish_reason"] is None for choice in [first, *middle])
    for choice in middle:
        assert all(isinstance(value, str) for value in choice["delta"].values())
    assert "“Hello”" in text_of(chunks)


@pytest.mark.parametrize("asks", [True, False])
async def test_usage_is_streamed_only_if_requested(program: ApiClient, asks: bool) -> None:
    options = {"include_usage": asks}
    *_chunks, last, _done = await events_of(
        await program.complete(stream=True, stream_options=options)
    )
    assert ("usage" in last) == asks
    if asks:
        assert last["choices"] == []
        assert last["usage"]["total_tokens"] > 50


async def test_reasoning_is_apart_from_the_text(program: ApiClient) -> None:
    whole = (await program.complete("/think", model=GPT_OSS)).json()["choices"][0]["message"]
    assert whole["reasoning_content"]
    assert whole["reasoning_content"] not in whole["content"]
    chunks = await events_of(await program.complete("/think", model=GPT_OSS, stream=True))
    deltas = [c["choices"][0]["delta"] for c in chunks if c != "[DONE]"]
    assert any("reasoning_content" in delta for delta in deltas)
    assert text_of(chunks)


@pytest.mark.parametrize("given", ["/number 7", "/object x"])
async def test_text_stays_text_where_the_model_writes_a_number_or_an_object(
    program: ApiClient, given: str
) -> None:
    chunks = await events_of(await program.complete(given, stream=True))
    assert text_of(chunks)
    assert isinstance(
        (await program.complete(given)).json()["choices"][0]["message"]["content"], str
    )


async def test_an_answer_cut_at_the_limit_says_length(program: ApiClient) -> None:
    found = (await program.complete("/long", max_tokens=20)).json()
    assert found["choices"][0]["finish_reason"] == "length"
    assert found["usage"]["completion_tokens"] == 20
    chunks = await events_of(await program.complete("/long", max_completion_tokens=20, stream=True))
    assert chunks[-2]["choices"][0]["finish_reason"] == "length"


async def test_json_is_of_the_schema_that_was_sent(program: ApiClient) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    named = {"name": "answer", "schema": schema, "strict": True}
    for model in MODELS:
        response = await program.complete(
            model=model, response_format={"type": "json_schema", "json_schema": named}
        )
        json.loads(response.json()["choices"][0]["message"]["content"])


@pytest.mark.parametrize(
    "options",
    [
        {"stream": False},
        {"stream": None, "temperature": None, "stop": None, "tools": None, "user": None},
        {"user": {"id": "7", "name": "x"}, "metadata": {"a": "b"}, "store": False},
        {"service_tier": "auto", "prompt_cache_key": "k", "my_own_field": {"x": [1]}},
        {"n": 1, "logprobs": False, "seed": 0, "top_p": 0, "temperature": 0},
        {"seed": -3, "max_tokens": 10_000_000, "stop": ["", "\n\n\n"]},
        {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []},
        {"frequency_penalty": 0.5, "presence_penalty": -0.5, "logit_bias": {}},
    ],
)
async def test_what_clients_send_besides_is_tolerated(
    program: ApiClient, options: dict[str, Any]
) -> None:
    response = await program.complete(**options)
    assert response.status_code == 200, response.content


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"best_of": 2}, "best_of"),
        ({"logprobs": True}, "logprobs"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"audio": {"voice": "x"}}, "audio"),
        ({"temperature": "hot"}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"model": None}, "model"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "system", "content": " "}]}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id"),
        ({"messages": [{"role": "assistant"}]}, "messages[0].content"),
        ({"messages": [{"role": "assistant", "tool_calls": []}]}, "messages[0].content"),
        ({"reasoning_effort": "enormous"}, "reasoning_effort"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
    ],
)
async def test_what_would_change_the_answer_is_refused_by_name(
    program: ApiClient, options: dict[str, Any], param: str
) -> None:
    response = await program.complete(**options)
    error = response.json()["error"]
    assert (response.status_code, error["type"]) == (400, "invalid_request_error")
    assert error["param"] == param
    assert set(error) == {"message", "type", "param", "code"}


@pytest.mark.parametrize("kind", ["image_url", "input_audio", "file"])
async def test_pictures_elsewhere_sounds_and_files_are_refused_by_name(
    program: ApiClient, kind: str
) -> None:
    part = {"type": kind, kind: {"url": "https://example.org/a.png"}}
    response = await program.complete([{"type": "text", "text": "What is this?"}, part])
    assert response.status_code == 400
    assert response.json()["error"]["param"] == "messages[0].content[1]"


async def test_parts_of_text_are_joined(program: ApiClient) -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]
    assert "“Hello”" in (await program.complete(parts)).json()["choices"][0]["message"]["content"]


async def test_system_messages_may_be_anywhere(program: ApiClient) -> None:
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Hi", "name": "x"},
        {"role": "assistant", "content": "Hello.", "refusal": None, "audio": None},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
    ]
    response = await program.complete(messages=messages, model="@cf/qwen/qwen3-30b-a3b-fp8")
    assert response.status_code == 200, response.content
