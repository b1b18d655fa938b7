"""A model gives a chat its title after the first answer."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import redaction, turns
from chat.conversations.branches import next_title
from chat.conversations.models import Conversation, Message
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
    await Limit.objects.acreate(scope="member", measure="requests", amount=1)
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
