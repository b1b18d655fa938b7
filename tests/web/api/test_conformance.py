"""Everything that the API sends is what OpenAI's and Anthropic's specifications describe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.api.api_client import GEMMA, ApiClient, events_of
from tests.support.api.media_client import draw, transcribe
from tests.support.api.messages_client import WEATHER, create
from tests.support.api.messages_client import events_of as message_events
from tests.support.api.responses_client import respond, streamed
from tests.support.api.sdk_types import require_conforming
from tests.support.imported_later import imported_later
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

if TYPE_CHECKING:
    import anthropic.types as anthropic_types
    from openai import types
    from openai.types import audio, chat, responses
else:
    anthropic_types, types = map(imported_later, ("anthropic.types", "openai.types"))
    parts = ("openai.types.audio", "openai.types.chat", "openai.types.responses")
    audio, chat, responses = map(imported_later, parts)

DONE = b"data: [DONE]\n\n"
COUNTED = {
    "prompt_tokens": 9,
    "completion_tokens": 5,
    "total_tokens": 14,
    "prompt_tokens_details": {"cached_tokens": 4},
    "completion_tokens_details": {"reasoning_tokens": 2},
}
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
LOOK_UP = {"name": "look_up", "parameters": SCHEMA}
PATCH = {"name": "patch", "description": "Edits files."}
NAMED_SCHEMA = {"name": "answer", "schema": SCHEMA, "strict": True}


def chunk(finish: str | None = None, usage: Any = None, **delta: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    counted = {"usage": usage} if usage else {}
    return b"data: " + json.dumps({"choices": [choice], **counted}).encode() + b"\n\n"


def call(arguments: str, name: str = "", index: int = 0) -> bytes:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return chunk(tool_calls=[{"index": index, "id": "c", "function": function}])


HI, STOP, CALLED = chunk(content="Hi "), chunk("stop"), chunk("tool_calls")
CALL = [call("", "look_up"), call('{"a": '), call('"b"}')]
ANSWERS: dict[str, list[bytes]] = {
    "text": [HI, chunk(content="there"), STOP],
    "a long text": [HI] * 300 + [STOP],
    "an empty text": [chunk(content=""), STOP],
    "text cut by the limit": [HI, chunk("length")],
    "filtered text": [HI, chunk("content_filter")],
    "reasoning": [chunk(reasoning_content="Hm"), chunk(reasoning_content="m"), HI, STOP],
    "reasoning cut by the limit": [chunk(reasoning_content="Hm"), chunk("length")],
    "a refusal": [chunk(refusal="I can't."), STOP],
    "usage": [HI, chunk("stop", usage=COUNTED)],
    "JSON": [chunk(content='{"a": '), chunk(content='"b"}'), STOP],
    "a call": [*CALL, CALLED],
    "a call after text and reasoning": [chunk(reasoning_content="Hm"), HI, *CALL, CALLED],
    "calls": [call("{}", "look_up"), call("{}", "look_up", 1), call("{}", "look_up", 2), CALLED],
    "calls at once": [
        call("", "look_up"), call("", "look_up", 1), call("{}", index=1), call("{}"), CALLED,
    ],
    "a call without arguments": [call("", "look_up"), CALLED],
    "a call cut by the limit": [*CALL[:2], chunk("length")],
    "calls of custom tools": [
        call('{"input": "x"}', "patch"), call("x", "patch", 1), call("{}", "look_up", 2), CALLED,
    ],
    "a call of a custom tool cut by the limit": [call('{"inp', "patch"), chunk("length")],
}  # fmt: skip
BROKEN: dict[str, list[bytes]] = {
    "an error after text": [HI, b'data: {"error": {"message": "x", "code": 3043}}\n\n'],
    "an error in a call": [HI, *CALL[:2], b'data: {"error": {"message": "x"}}\n\n'],
    "a cut": [HI],
    "a cut in a call": CALL[:2],
}
CHAT: dict[str, Any] = {
    "model": GEMMA,
    "tools": [{"type": "function", "function": LOOK_UP}, {"type": "custom", "custom": PATCH}],
    "response_format": {"type": "json_schema", "json_schema": NAMED_SCHEMA},
}
RESPONSE: dict[str, Any] = {
    "model": GEMMA,
    "tools": [{"type": "function", **LOOK_UP}, {"type": "custom", **PATCH}],
    "text": {"format": {"type": "json_schema", **NAMED_SCHEMA}},
    "tool_choice": "auto",
}
MESSAGE: dict[str, Any] = {
    "model": GEMMA,
    "tools": [WEATHER, {**WEATHER, "name": "patch"}],
    "thinking": {"type": "enabled", "budget_tokens": 2000},
}


def named(name: str) -> Any:
    answers = ANSWERS | BROKEN
    return always(stream_of(*answers[name], *([] if "cut" in name and name in BROKEN else [DONE])))


def require_chunk(event: Any) -> Any:
    """Check a chunk. OpenAI's types miss custom tools in streams, though its API streams them."""
    for choice in event.get("choices", ()):
        for each in choice["delta"].get("tool_calls", ()):
            if "custom" in each:
                custom = each.pop("custom")
                assert each.pop("type", "custom") == "custom"
                assert custom.keys() <= {"name", "input"}
                assert all(isinstance(value, str) for value in custom.values())
    return require_conforming(chat.ChatCompletionChunk, event)


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_chat_completion_conforms(program: ApiClient, name: str) -> None:
    async with site_with(named(name)):
        whole = (await program.complete(**CHAT)).json()
        options = {**CHAT, "stream": True, "stream_options": {"include_usage": True}}
        *events, done = await events_of(await program.complete(**options))
    read = require_conforming(chat.ChatCompletion, whole)
    chunks = [require_chunk(each) for each in events]
    assert done == "[DONE]"
    assert chunks[-1].choices == []
    assert chunks[-1].usage == read.usage
    assert {len(each.choices) for each in chunks[:-1]} == {1}
    assert chunks[-2].choices[0].finish_reason == read.choices[0].finish_reason


async def test_several_choices_and_log_probabilities_conform(program: ApiClient) -> None:
    others = [{"token": "Oh", "logprob": -3.5}]
    token = {"token": "Hi", "logprob": -0.5, "top_logprobs": others}
    delta = {"index": 0, "delta": {"content": "Hi"}, "logprobs": {"content": [token]}}
    told = b"data: " + json.dumps({"choices": [delta]}).encode() + b"\n\n"
    async with site_with(always(stream_of(told, STOP, DONE)), UPSTREAM_PROTOCOL="openai"):
        options = {"model": GEMMA, "logprobs": True}
        whole = (await program.complete(**options, n=2)).json()
        *events, _done = await events_of(await program.complete(**options, stream=True))
    for choice in require_conforming(chat.ChatCompletion, whole).choices:
        assert choice.logprobs.content[0].token == "Hi"
    assert any(require_chunk(each).choices[0].logprobs for each in events)


async def test_a_call_in_the_old_form_conforms(program: ApiClient) -> None:
    async with site_with(named("a call")):
        whole = await program.complete(model=GEMMA, functions=[LOOK_UP])
        stream = await program.complete(model=GEMMA, functions=[LOOK_UP], stream=True)
        *events, _done = await events_of(stream)
    assert require_conforming(chat.ChatCompletion, whole.json()).choices[0].message.function_call
    assert require_chunk(events[-1]).choices[0].finish_reason == "function_call"
    for each in events:
        require_chunk(each)


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_response_conforms(program: ApiClient, name: str) -> None:
    async with site_with(named(name)):
        whole = (await respond(program, **RESPONSE)).json()
        events = await streamed(program, **RESPONSE)
    read = require_conforming(responses.Response, whole)
    last = require_conforming(responses.Response, events[-1]["response"])
    assert events[-1]["type"] == f"response.{read.status}" == f"response.{last.status}"
    assert shapes(read) == shapes(last)


def shapes(response: responses.Response) -> list[Any]:
    """Return the output without what differs in each response."""
    return [each.model_dump(exclude={"id", "call_id"}) for each in response.output]


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_message_conforms(program: ApiClient, name: str) -> None:
    async with site_with(named(name)):
        whole = (await create(program, **MESSAGE)).json()
        events = await message_events(await create(program, **MESSAGE, stream=True))
    require_conforming(anthropic_types.Message, whole)
    begun = [each["content_block"]["type"] for each in events if "content_block" in each]
    assert begun == [each["type"] for each in whole["content"]]
    assert events[-2]["delta"]["stop_reason"] == whole["stop_reason"]


@pytest.mark.parametrize("name", BROKEN)
async def test_a_failed_answer_conforms(program: ApiClient, name: str) -> None:
    async with site_with(named(name)):
        for whole in (await program.complete(**CHAT), await respond(program, **RESPONSE)):
            assert whole.status_code == 502
            require_error(whole)
        require_conforming(anthropic_types.ErrorResponse, (await create(program, **MESSAGE)).json())
        chunks = await events_of(await program.complete(**CHAT, stream=True))
        *_, error, failed = await streamed(program, **RESPONSE)
        *_, broken = await message_events(await create(program, **MESSAGE, stream=True))
    *chunks, last = [each for each in chunks if each != "[DONE]"]
    for each in chunks:
        require_chunk(each)
    require_conforming(types.ErrorObject, last["error"])
    assert (error["type"], failed["type"]) == ("error", "response.failed")
    require_conforming(anthropic_types.ErrorResponse, broken)


def require_error(response: Any) -> None:
    assert response.json().keys() == {"error"}
    require_conforming(types.ErrorObject, response.json()["error"])


@pytest.mark.parametrize(
    "path", ["chat/completions", "responses", "completions", "embeddings", "images/generations"]
)
async def test_an_error_conforms(program: ApiClient, path: str) -> None:
    for body in (
        b"{",
        b"[]",
        b"{}",
        {"model": "unknown", "input": "x", "prompt": "x", "messages": []},
    ):
        response = await program.post(f"/v1/{path}", body)
        assert response.status_code in {400, 404}, response.content
        require_error(response)
    for response in (
        await ApiClient().post(f"/v1/{path}", {}),
        await program.get(f"/v1/{path}"),
        await program.post(f"/v1/{path}/x", {}),
    ):
        require_error(response)


async def test_an_error_of_messages_conforms(program: ApiClient) -> None:
    for body in (b"{", b"[]", b"{}", {"model": "unknown", "messages": []}):
        require_conforming(
            anthropic_types.ErrorResponse, (await program.post("/v1/messages", body)).json()
        )
    require_conforming(
        anthropic_types.ErrorResponse, (await ApiClient().post("/v1/messages", {})).json()
    )


async def test_a_kept_response_conforms(program: ApiClient) -> None:
    async with site_with(named("calls of custom tools")):
        first = (await respond(program, **RESPONSE)).json()
        events = await streamed(
            program,
            "Why?",
            model=GEMMA,
            previous_response_id=first["id"],
            instructions="Be kind.",
            max_output_tokens=100,
            temperature=0.5,
            top_p=0.5,
            reasoning={"effort": "low"},
        )
    last = require_conforming(responses.Response, events[-1]["response"])
    assert last.previous_response_id == first["id"]


async def test_models_conform(program: ApiClient) -> None:
    listed = (await program.get("/v1/models")).json()
    assert listed.keys() == {"object", "data"}
    for each in listed["data"]:
        require_conforming(types.Model, each)
    one = (await program.get(f"/v1/models/{GEMMA}")).json()
    assert one in listed["data"]


async def test_embeddings_conform(program: ApiClient) -> None:
    body = {"model": "@cf/baai/bge-m3", "input": ["a", "b"]}
    require_conforming(
        types.CreateEmbeddingResponse, (await program.post("/v1/embeddings", body)).json()
    )
    found = (await program.post("/v1/embeddings", {**body, "encoding_format": "base64"})).json()
    for each in found["data"]:
        assert isinstance(each["embedding"], str)
        each["embedding"] = []  # the types know numbers only
    require_conforming(types.CreateEmbeddingResponse, found)


async def test_media_conform(program: ApiClient) -> None:
    require_conforming(types.ImagesResponse, (await draw(program)).json())
    require_conforming(audio.Transcription, (await transcribe(program)).json())
    verbose = await transcribe(program, response_format="verbose_json")
    require_conforming(audio.TranscriptionVerbose, verbose.json())


@pytest.mark.parametrize("name", ["text", "text cut by the limit", "reasoning"])
async def test_a_text_completion_conforms(program: ApiClient, name: str) -> None:
    body = {"model": GEMMA, "prompt": "Hello"}
    async with site_with(named(name)):
        whole = (await program.post("/v1/completions", body)).json()
        options = {"stream": True, "stream_options": {"include_usage": True}}
        *events, _done = await events_of(await program.post("/v1/completions", body | options))
    for each in (whole, *events):
        for choice in each["choices"]:
            # OpenAI's API sends null before the end, though its specification doesn't say so.
            reason = choice["finish_reason"] or "stop"
            require_conforming(types.CompletionChoice, {**choice, "finish_reason": reason})
        require_conforming(types.Completion, {**each, "choices": []})
