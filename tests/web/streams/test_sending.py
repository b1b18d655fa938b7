"""`POST /chat/…/messages`: the question is stored first, the answer at its end, each send once."""

import asyncio
import itertools
import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.conversations.models import Conversation, Message
from chat.generations.models import LogPage
from tests.support.generations.follow import endless
from tests.support.generations.send import DONE, key, send, stored
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import EVENT_STREAM, always, chunk, plain, stream_of
from tests.support.upstream.upstream_failures import envelope
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import until


async def test_a_first_message_creates_a_conversation_with_its_answer(
    alice_client: AsyncClient,
) -> None:
    response = await send(alice_client, text="Where is New York?\nExactly.")
    stream = await read_stream(response)
    generation, answer = await stored(response)
    conversation = await Conversation.objects.aget(id=response["X-Conversation-Id"])
    question = await Message.objects.aget(id=response["X-Question-Id"])
    assert conversation.title == "Where is New York?"
    assert question.text == "Where is New York?\nExactly."
    assert answer.text == stream.text
    assert answer.parent_id == question.pk
    assert generation.state == stream.key("state") == "complete"
    assert generation.length == len(stream.text) == stream.key("length")
    assert generation.total_tokens == stream.key("usage")["total_tokens"]
    assert generation.first_token_milliseconds is not None
    assert generation.last_seq == stream.ids[-1] - 2


async def test_a_conversation_continues_with_all_earlier_messages(
    alice_client: AsyncClient,
) -> None:
    answer = always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))
    async with site_with(answer) as raw:
        first = await send(alice_client, text="One")
        await read_stream(first)
        await read_stream(await send(alice_client, first["X-Conversation-Id"], text="Two"))
    sent = json.loads(raw.requests[1].partition(b"\r\n\r\n")[2])["messages"]
    assert [message["content"] for message in sent] == ["One", "Aye", "Two"]


async def test_the_question_is_stored_before_the_model_is_called(alice_client: AsyncClient) -> None:
    seen: list[int] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(await Message.objects.filter(role="user", text="Keep me").acount())
        writer.write(stream_of(DONE))

    async with site_with(handler):
        await read_stream(await send(alice_client, text="Keep me"))
    assert seen == [1]


async def two_pages() -> bool:
    return await LogPage.objects.acount() >= 2


async def test_the_log_is_stored_while_the_answer_runs(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        await until(two_pages)
        pages = [page async for page in LogPage.objects.order_by("first_seq")]
        assert pages[0].first_seq == 1
        for before, after in itertools.pairwise(pages):
            assert after.first_seq == before.last_seq + 1
        await alice_client.post(f"/generations/{response['X-Generation-Id']}/cancellation")
        stream = await read_stream(response)
    generation, answer = await stored(response)
    assert generation.state == "stopped"
    assert answer.text == stream.text != ""


@pytest.mark.parametrize("together", [False, True])
async def test_the_same_send_twice_calls_the_model_once(
    together: bool, alice_client: AsyncClient
) -> None:
    answer = always(stream_of(b'data: {"response":"Once"}\n\n', DONE))
    body = {"key": key(), "text": "Only once"}
    async with site_with(answer) as raw:
        if together:
            one, two = await asyncio.gather(send(alice_client, **body), send(alice_client, **body))
        else:
            one = await send(alice_client, **body)
            two = await send(alice_client, **body)
        assert one["X-Generation-Id"] == two["X-Generation-Id"]
        assert one["X-Message-Id"] == two["X-Message-Id"]
        assert (await read_stream(one)).text == (await read_stream(two)).text == "Once"
    assert len(raw.requests) == 1
    assert await Message.objects.acount() == 2


async def test_a_send_repeated_after_the_end_replays_the_answer(alice_client: AsyncClient) -> None:
    body = {"key": key(), "text": "Again"}
    first = await read_stream(await send(alice_client, **body))
    second = await read_stream(await send(alice_client, **body))
    assert first.payloads == second.payloads


async def test_the_same_key_with_another_text_is_a_conflict(alice_client: AsyncClient) -> None:
    body = {"key": key(), "text": "One"}
    await read_stream(await send(alice_client, **body))
    response = await send(alice_client, **{**body, "text": "Two"})
    assert response.status_code == 409
    assert json.loads(response.content)["error"]["code"] == "conflict"
    assert await Message.objects.filter(text="Two").acount() == 0


async def test_another_members_key_is_independent(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    body = {"key": key(), "text": "Mine"}
    one, two = await send(alice_client, **body), await send(bob_client, **body)
    assert one["X-Generation-Id"] != two["X-Generation-Id"]
    await read_stream(one)
    await read_stream(two)


async def test_an_early_failure_keeps_the_question_and_returns_its_ids(
    alice_client: AsyncClient,
) -> None:
    async with site_with(always(plain(429, envelope(4006)))):
        response = await send(alice_client, text="Precious words")
    assert response.status_code == 503
    generation, answer = await stored(response)
    assert generation.state == "failed"
    assert generation.error_code == "allocation_exhausted"
    assert answer.text == ""
    assert await Message.objects.filter(text="Precious words").aexists()
    shown = await alice_client.get(
        f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Message-Id']}"
    )
    assert json.loads(shown.content)["error"]["code"] == "allocation_exhausted"


async def test_a_retry_adds_a_second_answer_to_the_same_question(alice_client: AsyncClient) -> None:
    first = await send(alice_client, text="Hello")
    await read_stream(first)
    again = await send(alice_client, first["X-Conversation-Id"], retry=int(first["X-Message-Id"]))
    await read_stream(again)
    assert again["X-Question-Id"] == first["X-Question-Id"]
    assert again["X-Message-Id"] != first["X-Message-Id"]
    assert await Message.objects.filter(role="user").acount() == 1


async def test_an_interrupted_answer_is_continued_in_place(alice_client: AsyncClient) -> None:
    async with site_with(always(stream_of(b'data: {"response":"Half a "}\n\n'))):
        first = await send(alice_client, text="Tell me")
        assert (await read_stream(first)).key("state") == "interrupted"
    async with site_with(always(stream_of(b'data: {"response":"story."}\n\n', DONE))) as raw:
        more = await send(
            alice_client, first["X-Conversation-Id"], resume=int(first["X-Message-Id"])
        )
        stream = await read_stream(more)
    assert more["X-Message-Id"] == first["X-Message-Id"]
    assert stream.key("length") == len("Half a story.")
    _, answer = await stored(more)
    assert answer.text == "Half a story."
    sent = json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])["messages"]
    assert [m["role"] for m in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"] == "Half a "


async def test_two_concurrent_messages_become_branches(alice_client: AsyncClient) -> None:
    first = await send(alice_client, text="Root")
    await read_stream(first)
    where = first["X-Conversation-Id"]
    one, two = await asyncio.gather(
        send(alice_client, where, text="Left", parent=int(first["X-Message-Id"])),
        send(alice_client, where, text="Right", parent=int(first["X-Message-Id"])),
    )
    await read_stream(one)
    await read_stream(two)
    assert await Message.objects.filter(parent=first["X-Message-Id"]).acount() == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": " "},
        {"text": "x", "retry": 1},
        {"text": "x", "key": "short"},
        {"text": "x", "key": "../../etc/passwd"},
        {"text": 7},
        {"text": "x", "parent": "y"},
        {"text": "x", "model": "@cf/nobody/knows"},
        {"retry": "1"},
    ],
)
async def test_an_inconsistent_send_is_refused(
    body: dict[str, Any], alice_client: AsyncClient
) -> None:
    response = await send(alice_client, **body)
    assert response.status_code == 400
    assert await Conversation.objects.acount() == 0


async def test_a_running_answer_cannot_be_retried(alice_client: AsyncClient) -> None:
    async with site_with(endless()):
        first = await send(alice_client, text="Go")
        where, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
        assert (await send(alice_client, where, retry=answer)).status_code == 409
        assert (await send(alice_client, where, resume=answer)).status_code == 409


async def test_another_members_conversation_is_not_found(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    async with site_with(endless()):
        first = await send(alice_client, text="Secret")
        where, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
        mine = await send(bob_client, text="Mine")
        for response in (
            await send(bob_client, where, text="Intrude"),
            await send(bob_client, where, retry=answer),
            await send(bob_client, mine["X-Conversation-Id"], retry=answer),
            await send(bob_client, mine["X-Conversation-Id"], text="x", parent=answer),
            await bob_client.get(f"/chat/{where}/messages/{answer}"),
            await bob_client.get(f"/chat/{mine['X-Conversation-Id']}/messages/{answer}"),
            await bob_client.get(f"/generations/{first['X-Generation-Id']}/stream"),
            await bob_client.post(f"/generations/{first['X-Generation-Id']}/cancellation"),
        ):
            assert response.status_code == 404
        assert (await stored(first))[0].state == "running"


async def test_a_send_needs_the_csrf_token(alice_client: AsyncClient) -> None:
    strict = AsyncClient(enforce_csrf_checks=True)
    strict.cookies = alice_client.cookies
    assert (await send(strict, text="x")).status_code == 403


async def test_a_stream_with_a_broken_chunk_is_stored_up_to_it(
    alice_client: AsyncClient,
) -> None:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM + chunk(b'data: {"response":"So far"}\n\n'))
        await asyncio.sleep(0.05)
        writer.write(b"zz\r\n")

    async with site_with(handler):
        response = await send(alice_client, text="x")
        stream = await read_stream(response)
    generation, answer = await stored(response)
    assert generation.state == stream.key("state") == "interrupted"
    assert answer.text == "So far"
