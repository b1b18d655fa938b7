"""A model gives a chat its title after the first answer."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import redaction, turns
from chat.conversations.branches import next_title
from chat.conversations.models import Conversation, Message
from chat.generations.process import server_process
from chat.generations.titles import title_writer
from chat.quotas.models import Charge, Limit
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
QUESTION = "Why do rivers bend, and how long does it take them?"
TITLE = "Why do rivers bend and how"


@pytest.fixture(autouse=True)
def _with_titles(settings: Any) -> None:
    settings.TITLE_MODEL = MODEL


async def ask(client: AsyncClient, text: str = QUESTION, **more: Any) -> Conversation:
    """Send, read the answer and wait for the title; return the chat."""
    response = await send(client, text=text, **more)
    assert (await read_stream(response)).key("state") == "complete"
    await title_writer.until_written()
    return await Conversation.objects.aget(pk=response["X-Conversation-Id"])


async def test_a_chat_is_named_after_its_first_answer(alice_client: AsyncClient) -> None:
    chat = await ask(alice_client)
    assert (chat.title, chat.is_title_generated) == (TITLE, True)


async def test_a_later_answer_changes_no_title(alice_client: AsyncClient) -> None:
    chat = await ask(alice_client)
    await ask(alice_client, "And lakes, which have no bends at all?", conversation=chat.pk)
    await chat.arefresh_from_db()
    assert chat.title == TITLE


async def test_a_title_counts_towards_the_members_limits(
    alice_client: AsyncClient, alice: User
) -> None:
    await ask(alice_client)
    charges = [each async for each in Charge.objects.filter(user=alice)]
    assert sorted(each.model == MODEL for each in charges) == [False, True]
    assert all(each.settled_at for each in charges)


async def test_a_second_answer_to_a_titled_question_asks_for_no_title(
    alice_client: AsyncClient,
) -> None:
    chat = await ask(alice_client)
    answer = await Message.objects.filter(conversation=chat, role="assistant").aget()
    response = await send(alice_client, conversation=chat.pk, retry=answer.pk)
    await read_stream(response)
    await title_writer.until_written()
    assert await Charge.objects.filter(model=MODEL).acount() == 1


async def test_a_title_waits_for_questions_that_are_being_stored(
    alice_client: AsyncClient,
) -> None:
    is_stored, starting = asyncio.Event(), server_process.current().starting
    response = await send(alice_client, text=QUESTION)
    waiting = asyncio.create_task(is_stored.wait())
    starting.add(waiting)
    waiting.add_done_callback(starting.discard)
    await read_stream(response)
    title = asyncio.create_task(title_writer.until_written())
    for _ in range(20):
        await sync_to_async(Conversation.objects.get)()
    assert not await Charge.objects.filter(model=MODEL).aexists()
    is_stored.set()
    await title
    assert await Charge.objects.filter(model=MODEL).aexists()


async def test_without_a_model_titles_are_the_first_words(
    alice_client: AsyncClient, settings: Any
) -> None:
    settings.TITLE_MODEL = ""
    assert (await ask(alice_client)).title == turns.title_from(QUESTION)


async def test_a_title_that_somebody_wrote_stays(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = "My rivers"

    async def slowly(*_given: Any) -> str:
        chat = await Conversation.objects.aget()
        await sync_to_async(turns.rename)(chat, named)
        return TITLE

    monkeypatch.setattr(title_writer, "_ask", slowly)
    chat = await ask(alice_client)
    assert (chat.title, chat.is_title_generated) == (named, False)


async def test_a_spent_limit_leaves_the_first_words(alice_client: AsyncClient) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=200)
    chat = await ask(alice_client)
    assert chat.title == turns.title_from(QUESTION)


async def test_hiding_the_first_turn_hides_its_title(alice_client: AsyncClient) -> None:
    chat = await ask(alice_client)
    first = await Message.objects.filter(conversation=chat).order_by("pk").afirst()
    await sync_to_async(redaction.redact)(first)
    await chat.arefresh_from_db()
    assert chat.title == ""
    await sync_to_async(redaction.unredact)(first)
    await chat.arefresh_from_db()
    assert chat.title == TITLE
    assert next_title(TITLE) == f"{TITLE} (2)"


async def test_an_answer_that_is_hidden_meanwhile_gives_no_title(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(*_given: Any) -> str:
        answer = await Message.objects.select_related("conversation").aget(role="assistant")
        await sync_to_async(redaction.redact)(answer)
        return TITLE

    monkeypatch.setattr(title_writer, "_ask", slowly)
    chat = await ask(alice_client)
    assert (chat.title, chat.is_title_generated) == (turns.title_from(QUESTION), False)
