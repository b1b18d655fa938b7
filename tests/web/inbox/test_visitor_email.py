"""Visitors who wait may leave an address, and get what persons answer while they are away."""

import re
import uuid
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.core.mail import EmailMessage
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import mail as real_mail
from chat.accounts.mail import sender_address
from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.inbox import visitor_emails
from chat.inbox.models import VisitorEmail
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.errors import DeliveryFailed
from chat.web.widget.views import person
from chat.widget_sites import profiles
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.outbox import make_due
from tests.support.widget.visitor_client import Visiting, visit
from tests.support.widget.visitor_emails import ADDRESS, answer, leave, mail_answers

pytestmark = pytest.mark.usefixtures("no_network_jobs")


def refuse(_message: EmailMessage, _message_id: UUID) -> None:
    raise DeliveryFailed("451")


@pytest.fixture
async def shop(shop: WidgetSite) -> WidgetSite:
    """Return a website that asks for addresses and mails transcripts."""
    shop.asks_email = shop.mails_transcripts = True
    await shop.asave()
    return shop


async def test_an_answer_that_nobody_read_is_mailed_once(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite, settings: Settings,
) -> None:  # fmt: skip
    settings.SITE_URL = "https://chat.example.org"
    assert (await leave(vera, chat)).json() == {"email": ADDRESS}
    agnes = (await shop.team.aget()).user_id
    await sync_to_async(profiles.set_profile)(shop, agnes, "Agnes")
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    for _ in range(2):
        await mail_answers()
    (message,) = mail.outbox
    assert message.to == [ADDRESS]
    assert message.subject == "Shop has replied to you"
    assert message.from_email == f"Shop <{sender_address()}>"
    assert "Agnes:\n\nIt is 20 dollars." in message.body
    assert "canoe" not in message.body  # only what was answered since
    await answer(agent_client, inbox, chat, "And a paddle is included.")
    await mail_answers()
    assert "20 dollars" not in mail.outbox[1].body
    assert "paddle" in mail.outbox[1].body


async def test_an_answer_that_the_visitor_saw_is_not_mailed(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str
) -> None:
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    assert (await vera.post(f"conversations/{chat}/seen")).status_code == 200
    await mail_answers()
    assert mail.outbox == []
    await answer(agent_client, inbox, chat, "And a paddle is included.")
    await mail_answers()
    (message,) = mail.outbox  # with what came since
    assert "paddle" in message.body
    assert "20 dollars" not in message.body


async def test_an_answer_is_mailed_again_if_the_mail_server_was_away(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    with monkeypatch.context() as away:
        away.setattr(real_mail, "deliver_now", refuse)
        await mail_answers()
    assert mail.outbox == []
    await make_due()
    await mail_answers()
    assert len(mail.outbox) == 1


async def test_an_address_that_takes_no_mails_is_given_up(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    tried: list[Any] = []

    def count(message: EmailMessage, message_id: UUID) -> None:
        tried.append(message_id)
        refuse(message, message_id)

    monkeypatch.setattr(real_mail, "deliver_now", count)
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    for tries in range(1, MAX_ATTEMPTS + 1):
        await mail_answers()
        await mail_answers()  # not due yet
        assert len(tried) == tries
        await make_due()
    await mail_answers()
    assert len(tried) == MAX_ATTEMPTS
    assert len(set(tried)) == 1  # the same ID each time


@pytest.mark.parametrize("why", ["being written", "not accepted"])
async def test_mails_that_cannot_go_yet_do_not_delay_others(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch, why: str,
) -> None:  # fmt: skip
    agnes = (await shop.team.aget()).user_id
    owner = (await Conversation.objects.aget(pk=chat)).owner_id
    late = timezone.now() - 2 * visitor_emails.MAIL_AFTER
    for number in range(3 * real_mail.AT_ONCE):
        blocked = await Conversation.objects.acreate(
            pk=uuid.UUID(int=number), owner_id=owner, is_unread=True
        )
        await VisitorEmail.objects.acreate(
            conversation=blocked, address="gone@example.org", language="en"
        )
        at = timezone.now() if why == "being written" else late
        await Message.objects.acreate(
            conversation=blocked, role="assistant", author=agnes, text="Wait", created_at=at
        )
    deliver = real_mail.deliver_now
    monkeypatch.setattr(
        real_mail,
        "deliver_now",
        lambda message, key: (refuse if "gone@" in message.to[0] else deliver)(message, key),
    )
    sent = await vera.send("What does a kayak cost?")
    await read_stream(sent)
    await leave(vera, sent["X-Conversation-Id"])
    await answer(agent_client, inbox, sent["X-Conversation-Id"], "It is 20 dollars.")
    for _ in range(4):
        await mail_answers()
    assert [each.to for each in mail.outbox] == [[ADDRESS]]


@pytest.mark.parametrize("change", [{"is_suspended": True}, {"deleted_at": timezone.now()}])
async def test_a_site_that_is_not_open_mails_nothing(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite, change: dict[str, Any],
) -> None:  # fmt: skip
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    for name, value in change.items():
        setattr(shop, name, value)
    await shop.asave()
    await mail_answers()
    assert mail.outbox == []


async def test_the_link_in_the_mail_removes_the_address(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str
) -> None:
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    await mail_answers()
    found = re.search(r"/stop-emails/\S+", mail.outbox[0].body)
    assert found
    anybody = AsyncClient()
    assert "Stop emails" in (await anybody.get(found[0])).content.decode()
    assert await VisitorEmail.objects.aexists()  # mail programs open links by themselves
    assert (await anybody.post(found[0])).status_code == 200
    assert not await VisitorEmail.objects.aexists()
    assert (await anybody.get(found[0])).status_code == 404
    assert (await anybody.get("/stop-emails/guessed/")).status_code == 404


async def test_the_visitor_removes_the_address_and_deletion_takes_it_along(
    vera: Visiting, chat: str
) -> None:
    await leave(vera, chat)
    assert (await leave(vera, chat, "")).json() == {"email": ""}
    assert not await VisitorEmail.objects.aexists()
    await leave(vera, chat)
    await Conversation.all_objects.all().adelete()
    assert not await VisitorEmail.objects.aexists()


@pytest.mark.parametrize(
    "address",
    ["vera", "a@b", "x" * 300 + "@example.org", "a@b.c\nBcc: d@e.f", f"a@{'ä' * 60}.org"],
)
async def test_what_is_no_address_is_refused(vera: Visiting, chat: str, address: str) -> None:
    for path in ("email", "transcript"):
        refused = await vera.post(f"conversations/{chat}/{path}", {"email": address})
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == "invalid_email"
    assert mail.outbox == []


async def test_other_visitors_and_other_sites_find_nothing(
    vera: Visiting, chat: str, shop: WidgetSite
) -> None:
    other = await visit(shop)
    for path in ("email", "transcript"):
        body = {"email": ADDRESS}
        assert (await other.post(f"conversations/{chat}/{path}", body)).status_code == 404
    await WidgetSite.objects.aupdate(asks_email=False, mails_transcripts=False)
    for path in ("email", "transcript"):
        body = {"email": ADDRESS}
        assert (await vera.post(f"conversations/{chat}/{path}", body)).status_code == 404
    assert mail.outbox == []


async def test_a_transcript_has_the_chat_and_few_are_sent(vera: Visiting, chat: str) -> None:
    path = f"conversations/{chat}/transcript"
    for _ in range(3):
        assert (await vera.post(path, {"email": ADDRESS})).status_code == 200
    assert (await vera.post(path, {"email": ADDRESS})).status_code == 429
    assert len(mail.outbox) == 3
    assert mail.outbox[0].subject == "Your chat with Shop"
    assert mail.outbox[0].from_email == f"Shop <{sender_address()}>"
    assert "> What does a canoe cost?" in mail.outbox[0].body


@pytest.mark.parametrize("path", ["email", "transcript"])
@pytest.mark.parametrize("addresses", ["Vera+{}@example.org", f"{'v' * 240}+{{}}@b.de"])
async def test_several_visitors_cannot_flood_an_address(
    vera: Visiting, chat: str, path: str, addresses: str
) -> None:
    statuses = []
    for number in range(5):
        other = await visit(vera.site)
        await Conversation.objects.aupdate(owner=await User.all_objects.alatest("pk"))
        body = {"email": addresses.format(number)}
        statuses.append((await other.post(f"conversations/{chat}/{path}", body)).status_code)
    assert statuses == [200, 200, 200, 429, 429]


@pytest.mark.parametrize("path", ["email", "transcript"])
async def test_a_client_cannot_have_strangers_mailed_as_many_visitors(
    vera: Visiting, chat: str, path: str
) -> None:
    statuses = []
    for number in range(person.NETWORK_MAILS_PER_HOUR + 1):
        other = await visit(vera.site)
        await Conversation.objects.aupdate(owner=await User.all_objects.alatest("pk"))
        body = {"email": f"stranger{number}@example.org"}
        statuses.append((await other.post(f"conversations/{chat}/{path}", body)).status_code)
    assert statuses == [200] * person.NETWORK_MAILS_PER_HOUR + [429]


async def test_an_address_can_always_be_removed(vera: Visiting, chat: str) -> None:
    while (await leave(vera, chat)).status_code == 200:
        pass
    assert (await leave(vera, chat, "")).status_code == 200
    await leave(vera, chat)
    await WidgetSite.objects.aupdate(asks_email=False)  # while addresses are stored
    assert (await leave(vera, chat, "")).status_code == 200
    assert not await VisitorEmail.objects.aexists()


async def test_a_transcript_that_cannot_be_sent_is_an_error(
    vera: Visiting, chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.accounts.mail.send", lambda _message: False)
    refused = await vera.post(f"conversations/{chat}/transcript", {"email": ADDRESS})
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "email_not_sent"


async def test_the_team_sees_the_address_and_other_people_do_not(
    agent_client: AsyncClient, alice_client: AsyncClient, vera: Visiting,
    inbox: Callable[..., str], chat: str, shop: WidgetSite,
) -> None:  # fmt: skip
    await vera.post(f"conversations/{chat}/person-request")
    await leave(vera, chat)
    page = await agent_client.get(inbox(chat), headers={"Accept": "text/html"})
    assert ADDRESS in page.content.decode()
    polled = (await vera.get(f"conversations/{chat}/person")).json()
    assert polled["email"] == ADDRESS
    other = await visit(shop)
    assert (await other.get(f"conversations/{chat}/person")).status_code == 404
