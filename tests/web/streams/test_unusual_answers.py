"""Answers that are not plain text are shown as what they are."""

import asyncio
import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.generations.delivery import responses
from chat.generations.models import Generation
from tests.support.generations.send import send, stored
from tests.support.generations.stream_reader import Stream, read_stream
from tests.support.upstream.raw_upstream import EVENT_STREAM, RawUpstream, always, plain, stream_of
from tests.support.upstream.upstream_override import IMPATIENT, ask, site_with

LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"  # native
GEMMA = "@cf/google/gemma-4-26b-a4b-it"  # OpenAI's shape
BOTH = pytest.mark.parametrize("model", [LLAMA, GEMMA])
DONE = b"data: [DONE]\n\n"
DELTA = '{"choices":[{"delta":{"content":"%s"}}]}'
MESSAGE = '{"choices":[{"message":{"content":"%s"}}]}'
OBJECT = '{"name": "Ŝpree", "km": 1.50}'


def event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


async def answered(client: AsyncClient, text: str, model: str = LLAMA) -> Stream:
    return await read_stream(await ask(client, {"prompt": text, "model": model}))


async def relayed(client: AsyncClient, answer: bytes) -> Stream:
    async with site_with(always(answer), UPSTREAM_RETRIES=0):
        return await read_stream(await ask(client, {"prompt": "Hello"}))


@BOTH
async def test_an_object_is_shown_as_json(model: str, alice_client: AsyncClient) -> None:
    stream = await answered(alice_client, "/object Why?", model)
    assert json.loads(stream.text)["question"] == "Why?"
    assert stream.key("state") == "complete"
    assert stream.key("length") == len(stream.text)


@BOTH
async def test_a_bare_number_is_shown(model: str, alice_client: AsyncClient) -> None:
    assert (await answered(alice_client, "/number 7", model)).text == "7"


async def test_parts_are_shown_as_reasoning_and_text(alice_client: AsyncClient) -> None:
    stream = await answered(alice_client, "/parts Why?", GEMMA)
    assert "“Why?”" in stream.text
    assert "thinking" not in stream.text
    assert stream.reasoning


@BOTH
async def test_tags_around_reasoning_are_not_shown(model: str, alice_client: AsyncClient) -> None:
    stream = await answered(alice_client, "/think-tags Why?", model)
    assert "think>" not in stream.text
    assert stream.reasoning
    assert "“Why?”" in stream.text


@BOTH
@pytest.mark.parametrize(
    ("reason", "state", "told"),
    [
        ("abort", "interrupted", None),
        ("eos", "complete", "stop"),
        ("model_length", "complete", "length"),
    ],
)
async def test_a_finish_reason_says_whether_the_answer_is_whole(
    model: str, reason: str, state: str, told: str | None, alice_client: AsyncClient
) -> None:
    stream = await answered(alice_client, f"/finish {reason}", model)
    assert stream.text
    assert (stream.key("state"), stream.key("finish_reason")) == (state, told)


@BOTH
async def test_a_refusal_is_shown_as_the_answer(model: str, alice_client: AsyncClient) -> None:
    assert "can’t help with that" in (await answered(alice_client, "/refuse", model)).text


@BOTH
async def test_a_whole_message_at_the_end_of_a_stream_is_shown_once(
    model: str, alice_client: AsyncClient
) -> None:
    stream = await answered(alice_client, "/message Once", model)
    assert stream.text.count("> “Once”") == 1
    assert stream.key("state") == "complete"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (OBJECT, OBJECT),
        ("[1, 2]", "[1, 2]"),
        ("1.50", "1.50"),
        ("false", "false"),
        ('"plain"', "plain"),
        ('[{"type":"text","text":"in "},{"type":"text","text":"parts"}]', "in parts"),
    ],
)
@pytest.mark.parametrize(
    "template",
    [
        '{"response":%s}',
        '{"result":{"response":%s},"success":true,"errors":[],"messages":[]}',
        '{"choices":[{"index":0,"delta":{"content":%s}}]}',
        '{"choices":[{"index":0,"message":{"role":"assistant","content":%s}}]}',
        '{"result":{"choices":[{"message":{"content":%s}}]},"success":true}',
    ],
)
async def test_any_json_value_is_shown_as_text_in_every_format(
    template: str, value: str, text: str, alice_client: AsyncClient
) -> None:
    document = template % value
    assert (await relayed(alice_client, stream_of(event(document), DONE))).text == text
    assert (await relayed(alice_client, plain(200, document.encode()))).text == text


@pytest.mark.parametrize("value", ["1.50", '"1.50"'])
async def test_text_directly_inside_an_envelope_is_shown(
    value: str, alice_client: AsyncClient
) -> None:
    document = f'{{"result":{value},"success":true}}'.encode()
    assert (await relayed(alice_client, plain(200, document))).text == "1.50"


async def test_a_whole_message_after_deltas_does_not_repeat_them(alice_client: AsyncClient) -> None:
    deltas = [event(DELTA % word) for word in ("A", "B")]
    whole = event('{"choices":[{"delta":{},"message":{"content":"AB"},"finish_reason":"stop"}]}')
    assert (await relayed(alice_client, stream_of(*deltas, whole, DONE))).text == "AB"


@pytest.mark.parametrize("pieces", [["Aye", "Aye aye", "Aye aye!"], ["Aye", " aye", "!"]])
async def test_repeated_or_consecutive_messages_form_one_answer(
    pieces: list[str], alice_client: AsyncClient
) -> None:
    chunks = [event(MESSAGE % each) for each in pieces]
    assert (await relayed(alice_client, stream_of(*chunks, DONE))).text == "Aye aye!"


@BOTH
async def test_an_answer_ended_by_a_content_filter_says_so(
    model: str, alice_client: AsyncClient
) -> None:
    response = await send(alice_client, text="/filtered 5", model=model)
    stream = await read_stream(response)
    assert stream.text
    assert stream.key("finish_reason") == "content_filter"
    generation, _answer = await stored(response)
    assert generation.finish_reason == "content_filter"


@pytest.mark.parametrize(
    "answer", [stream_of(), stream_of(b": nothing\n\n"), plain(200, b""), plain(200, b"{}")]
)
async def test_an_empty_body_does_not_claim_that_anything_was_saved(
    answer: bytes, alice_client: AsyncClient
) -> None:
    async with site_with(always(answer), UPSTREAM_RETRIES=0):
        response = await send(alice_client, text="Hello")
    error = response.json()["error"]
    assert response.status_code == 502
    assert "kept" not in error["message"]
    generation = await Generation.objects.aget()
    assert (generation.state, generation.length) == ("failed", 0)


async def test_a_silent_provider_does_not_claim_that_anything_was_saved(
    alice_client: AsyncClient,
) -> None:
    async def silent(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        await asyncio.sleep(30)

    async with site_with(silent, UPSTREAM_RETRIES=0, **IMPATIENT):
        response = await ask(alice_client, {"prompt": "Hello"})
    assert response.status_code == 504
    assert "kept" not in response.json()["error"]["message"]


async def test_reasoning_without_text_does_not_claim_that_anything_was_saved(
    alice_client: AsyncClient,
) -> None:
    reasoning = event('{"choices":[{"delta":{"reasoning_content":"Hm."}}]}')
    stream = await relayed(alice_client, stream_of(reasoning))
    assert stream.key("state") == "failed"
    assert "kept" not in stream.key("error")["message"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/filtered 5", "stopped this answer"),
        ("/filtered 0", "blocked this answer"),
        ("/empty", "empty answer"),
        ("/tool", "requested a tool"),
        ("Hello", ""),
    ],
)
async def test_the_page_without_scripts_shows_the_outcome(
    text: str, told: str, alice_client: AsyncClient
) -> None:
    response = await send(alice_client, text=text, model=GEMMA)
    await read_stream(response)
    page = await alice_client.get(f"/chat/{response['X-Conversation-Id']}/")
    answer = page.content.decode().split('class="turn answer"')[1].partition("</article>")[0]
    assert ('class="outcome"' in answer) == bool(told)
    assert told in answer


async def sent_after(client: AsyncClient, first: bytes) -> list[dict[str, Any]]:
    """Return what the model receives with a second question after the response `first`."""
    async with site_with(always(first), UPSTREAM_RETRIES=0):
        response = await send(client, text="One")
        if response.streaming:
            await read_stream(response)
    async with site_with(always(stream_of(event('{"response":"Aye"}'), DONE))) as raw:
        await read_stream(await send(client, response["X-Conversation-Id"], text="Two"))
    body = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    return [dict(message) for message in body["messages"]]


@pytest.mark.parametrize("first", [stream_of(DONE), stream_of(), plain(500, b"{}")])
async def test_roles_alternate_after_an_empty_answer(
    first: bytes, alice_client: AsyncClient
) -> None:
    messages = await sent_after(alice_client, first)
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert [message["content"] for message in messages] == ["One", "(no answer)", "Two"]


async def test_an_empty_answer_sent_by_a_client_is_replaced(
    alice_client: AsyncClient,
) -> None:
    pieces = [("user", "One"), ("assistant", ""), ("user", "Two")]
    messages = [{"role": role, "content": content} for role, content in pieces]
    async with site_with(always(stream_of(event('{"response":"Aye"}'), DONE))) as raw:
        await read_stream(await ask(alice_client, {"messages": messages}))
    body = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])
    assert body["messages"][1] == {"role": "assistant", "content": "(no answer)"}


async def read_by(raw: RawUpstream) -> list[tuple[str, str]]:
    body = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])
    return [(message["role"], message["content"]) for message in body["messages"]]


async def test_roles_alternate_after_an_answer_that_was_stopped_at_once(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "STATUS_WAIT_SECONDS", 0.1)  # no token comes

    async def silent(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        await asyncio.sleep(30)

    async with site_with(silent, UPSTREAM_RETRIES=0):
        response = await send(alice_client, text="One")
        await alice_client.post(f"/generations/{response['X-Generation-Id']}/cancellation")
        await read_stream(response)
    async with site_with(always(stream_of(event('{"response":"Aye"}'), DONE))) as raw:
        await read_stream(await send(alice_client, response["X-Conversation-Id"], text="Two"))
    assert await read_by(raw) == [("user", "One"), ("assistant", "(no answer)"), ("user", "Two")]


async def test_roles_alternate_after_a_deleted_turn(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(event('{"response":"Aye"}'), DONE))) as raw:
        first = await send(alice_client, text="One")
        await read_stream(first)
        chat = first["X-Conversation-Id"]
        second = await send(alice_client, chat, text="Two")
        await read_stream(second)
        await alice_client.post(f"/chat/{chat}/messages/{second['X-Question-Id']}/deletion")
        await read_stream(await send(alice_client, chat, text="Three"))
    assert await read_by(raw) == [("user", "One"), ("assistant", "Aye"), ("user", "Three")]


async def test_a_question_after_an_unanswered_one_is_merged_with_it(
    alice_client: AsyncClient,
) -> None:
    """This happens if an answer was lost with its process, or another page has not seen it."""
    async with site_with(always(stream_of(event('{"response":"Aye"}'), DONE))) as raw:
        first = await send(alice_client, text="One")
        await read_stream(first)
        chat, parent = first["X-Conversation-Id"], int(first["X-Question-Id"])
        await read_stream(await send(alice_client, chat, text="Two", parent=parent))
    assert await read_by(raw) == [("user", "One\n\nTwo")]
