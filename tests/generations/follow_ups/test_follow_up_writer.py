"""After an answer, a model suggests what its member could ask next."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.models import Message
from chat.generations.delivery import notifications
from chat.generations.follow_ups import follow_up_writer
from chat.quotas.models import Charge, Limit
from tests.support.generations.compared import compare
from tests.support.generations.follow_ups import SUGGESTED, ask, suggest_questions, suggestions
from tests.support.generations.masked_requests import (
    QUESTION,
    assert_nothing_personal,
    store_settings,
)
from tests.support.upstream.recorded_emulator import record_requests

STATING_REASONS = "@cf/openai/gpt-oss-20b"
MODEL = "@cf/ibm-granite/granite-4.0-h-micro"


@pytest.fixture(autouse=True)
async def _suggesting(settings: Any, transactional_db: None) -> None:
    settings.TITLE_MODEL = MODEL
    await suggest_questions()


async def follow_ups() -> list[Any]:
    """Return the suggestions of all answers, oldest first."""
    rows = Message.objects.filter(role="assistant").order_by("pk")
    return [each async for each in rows.values_list("follow_ups", flat=True)]


async def test_an_answer_suggests_questions_and_the_page_is_told(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(notifications, "notify_in_background", lambda *given: told.append(given))
    response = await ask(alice_client)
    assert await follow_ups() == [SUGGESTED]
    assert [str(each[2]) for each in told if each[1] == "follow_ups"] == [
        response["X-Conversation-Id"]
    ]


async def test_only_the_last_answer_of_a_chat_shows_some(alice_client: AsyncClient) -> None:
    response = await ask(alice_client)
    assert await suggestions(alice_client, response) == [[], SUGGESTED]
    await ask(alice_client, "And lakes?", conversation=response["X-Conversation-Id"])
    assert await suggestions(alice_client, response) == [[], [], [], SUGGESTED]


async def test_they_count_towards_the_members_limits_but_are_no_message(
    alice: User, alice_client: AsyncClient
) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=1)
    await ask(alice_client)
    charges = [each async for each in Charge.objects.filter(user=alice)]
    assert [each.model for each in charges].count(MODEL) == 2  # the title is one
    assert all(each.settled_at for each in charges)
    assert await follow_ups() == [SUGGESTED]


async def test_without_a_budget_there_are_none(alice_client: AsyncClient) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=200)
    await ask(alice_client)
    assert await follow_ups() == [None]
    assert not await Charge.objects.filter(model=MODEL, settled_at=None).aexists()


@pytest.mark.parametrize(
    "text", ["/error-after", "/cut 5", "/empty", "/finish length 5", "/long 60"]
)
async def test_only_whole_answers_have_some(alice_client: AsyncClient, text: str) -> None:
    await ask(alice_client, text, model=STATING_REASONS)
    assert await follow_ups() == [SUGGESTED if text == "/long 60" else None]


@pytest.mark.parametrize("reason", ["site", "member", "model"])
async def test_nobody_is_asked_where_they_are_off(
    alice: User, alice_client: AsyncClient, settings: Any, reason: str
) -> None:
    if reason == "site":
        await suggest_questions(are_on=False)
    if reason == "member":
        alice.preferences = {"follow_ups": "hide"}
        await alice.asave()
    if reason == "model":
        settings.TITLE_MODEL = ""
    await ask(alice_client)
    assert await follow_ups() == [None]
    assert await Charge.objects.acount() == (1 if reason == "model" else 2)  # answer and title


async def test_those_that_are_stored_are_hidden_once_they_are_off(
    alice: User, alice_client: AsyncClient
) -> None:
    response = await ask(alice_client)
    alice.preferences = {"follow_ups": "hide"}
    await alice.asave()
    assert await suggestions(alice_client, response) == [[], []]
    alice.preferences = {}
    await alice.asave()
    assert await suggestions(alice_client, response) == [[], SUGGESTED]
    await suggest_questions(are_on=False)
    assert await suggestions(alice_client, response) == [[], []]


async def test_answers_that_are_compared_have_none(alice_client: AsyncClient) -> None:
    await compare(alice_client)
    await follow_up_writer.until_written()
    assert await follow_ups() == [None, None]


async def test_an_answer_that_is_compared_later_shows_none(alice_client: AsyncClient) -> None:
    first = await ask(alice_client)
    assert await follow_ups() == [SUGGESTED]
    await compare(alice_client, first["X-Conversation-Id"])
    assert await suggestions(alice_client, first) == [[], [], [], []]


@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_hiding_a_message_removes_what_was_made_from_it(
    alice_client: AsyncClient, role: str
) -> None:
    await ask(alice_client)
    message = await Message.objects.select_related("conversation").aget(role=role)
    await sync_to_async(redaction.redact)(message)
    assert await follow_ups() == [None]


@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_a_message_that_is_hidden_meanwhile_gives_none(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    async def slowly(*_given: Any) -> str:
        message = await Message.objects.select_related("conversation").aget(role=role)
        await sync_to_async(redaction.redact)(message)
        return "What else?"

    monkeypatch.setattr(follow_up_writer, "_ask", slowly)
    await ask(alice_client)
    assert await follow_ups() == [None]


async def test_a_chat_that_has_gone_on_asks_for_none(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = follow_up_writer._question_before

    def late(answer_id: int) -> str | None:
        answer = Message.objects.get(pk=answer_id)
        Message.objects.create(conversation=answer.conversation, parent=answer, role="user")
        return read(answer_id)

    monkeypatch.setattr(follow_up_writer, "_question_before", late)
    await ask(alice_client)
    assert await follow_ups() == [None]
    assert await Charge.objects.filter(model=MODEL).acount() == 1  # the title


async def test_personal_data_is_covered(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sync_to_async(store_settings)(COVER_PERSONAL_DATA=True)
    asked = record_requests(monkeypatch)
    await ask(alice_client, QUESTION)
    assert [b"Suggest what the user" in body for _path, body in asked].count(True) == 1
    assert_nothing_personal(asked)


async def test_another_member_never_sees_them(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    response = await ask(alice_client)
    path = f"/chat/{response['X-Conversation-Id']}/"
    for address in (path, f"{path}messages/{response['X-Message-Id']}"):
        shown = await alice_client.get(address)
        assert SUGGESTED[0] in shown.content.decode()
        refused = await bob_client.get(address)
        assert refused.status_code == 404
        assert SUGGESTED[0] not in refused.content.decode()
