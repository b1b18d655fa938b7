"""An answer that waits in the outbox is mailed once, and only if it still may be and is unread."""

import asyncio
from collections.abc import Callable
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connections
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts import mail as real_mail
from chat.conversations import list_state
from chat.conversations.models import Conversation, Message
from chat.generations.deletion.soft_delete import delete
from chat.inbox import visitor_emails
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.errors import DeliveryFailed
from chat.widget_sites import suspension
from chat.widget_sites.models import WidgetSite
from tests.support.outbox import deliver, make_due, waiting
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_emails import answer, leave, mail_answers

pytestmark = pytest.mark.usefixtures("no_network_jobs", "asks_email")


@pytest.fixture
async def asks_email(shop: WidgetSite) -> None:
    shop.asks_email = True
    await shop.asave()


@pytest.fixture
async def answered(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str
) -> str:
    """Return the chat, in which a person has answered a visitor who left an address."""
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    return chat


@pytest.mark.parametrize(
    "change", ["hidden", "deleted", "removed", "replaced", "read", "suspended"]
)
async def test_what_changes_meanwhile_is_not_mailed(
    vera: Visiting, shop: WidgetSite, answered: str, change: str
) -> None:
    await sync_to_async(visitor_emails.find_unread)()
    assert await waiting() == {"visitor_mail": 1}
    if change == "hidden":
        await Message.objects.filter(author__gt=0).aupdate(hidden_at=timezone.now())
    elif change == "deleted":
        await Conversation.objects.aupdate(purge_after=timezone.now())
    elif change == "removed":
        await leave(vera, answered, "")
    elif change == "replaced":
        await leave(vera, answered, "other@example.org")
    elif change == "read":
        await vera.post(f"conversations/{answered}/seen")
    else:
        shop.is_suspended = True
        await shop.asave()
    await mail_answers()
    assert mail.outbox == []
    assert not await waiting()


async def test_answers_that_come_while_a_mail_waits_are_mailed_together(
    agent_client: AsyncClient, inbox: Callable[..., str], answered: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def refuse(_message: EmailMessage, _message_id: UUID) -> None:
        raise DeliveryFailed("451")

    with monkeypatch.context() as away:
        away.setattr(real_mail, "deliver_now", refuse)
        await mail_answers()
        for text in ("And a paddle?", "It is included."):
            await answer(agent_client, inbox, answered, text)
            await mail_answers()
    for _ in range(3):
        await make_due()
        await mail_answers()
    first, second = mail.outbox
    assert "20 dollars" in first.body
    assert "paddle" not in first.body
    assert "paddle" in second.body
    assert "included" in second.body


async def test_processes_that_look_at_once_store_one_mail(answered: str) -> None:
    def find() -> None:
        try:
            visitor_emails.find_unread()
        finally:
            connections.close_all()

    in_thread = sync_to_async(find, thread_sensitive=False)
    await asyncio.gather(*(in_thread() for _ in range(4)))
    assert await waiting() == {"visitor_mail": 1}


@pytest.mark.parametrize("change", ["deleted", "suspended", "hidden"])
async def test_what_cannot_be_mailed_now_is_mailed_once_it_can(
    shop: WidgetSite, answered: str, change: str
) -> None:
    row = await Conversation.objects.aget(pk=answered)
    answers = Message.objects.filter(author__gt=0)
    await sync_to_async(visitor_emails.find_unread)()
    if change == "deleted":
        await sync_to_async(delete)(row)
    elif change == "suspended":
        await sync_to_async(suspension.suspend)(shop, None)
    else:
        await answers.aupdate(hidden_at=timezone.now())
    for _ in range(2):
        await mail_answers()
    assert (mail.outbox, await waiting()) == ([], {})
    if change == "deleted":
        assert await sync_to_async(list_state.restore)(row)
    elif change == "suspended":
        await sync_to_async(suspension.restore)(shop)
    else:
        await answers.aupdate(hidden_at=None)
    for _ in range(2):
        await mail_answers()
    assert ["It is 20 dollars." in each.body for each in mail.outbox] == [True]


async def test_the_next_mail_has_what_the_mail_that_was_given_up_had(
    agent_client: AsyncClient,
    inbox: Callable[..., str],
    answered: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise DeliveryFailed("the mail server is away")

    await sync_to_async(visitor_emails.find_unread)()
    with monkeypatch.context() as patched:
        patched.setattr(real_mail, "deliver_now", refuse)
        for _ in range(MAX_ATTEMPTS):
            await deliver(visitor_emails.MAIL)
            await make_due()
    await mail_answers()
    assert (mail.outbox, await waiting()) == ([], {})
    await answer(agent_client, inbox, answered, "Or 90 for a week.")
    await mail_answers()
    (sent,) = mail.outbox
    assert "It is 20 dollars." in sent.body
    assert "Or 90 for a week." in sent.body
