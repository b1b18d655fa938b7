"""The team is notified by mail and webhook of what needs a person, once and without the text."""

import asyncio
import hashlib
import hmac
import json
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import connections
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.inbox import notices
from chat.inbox.models import SiteNotice
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.models import Delivery
from chat.webhooks import signed_post
from chat.webhooks.signed_post import TIMEOUT_SECONDS
from chat.widget_sites.models import WidgetSite
from tests.support.browser.website import Website, website
from tests.support.generations.stream_reader import read_stream
from tests.support.outbox import deliver, make_due, waiting
from tests.support.widget.visitor_client import Visiting, make_site, visit

pytestmark = pytest.mark.usefixtures("no_network_jobs")
SECRET = "a secret of the shop"


@pytest.fixture
async def server(shop: WidgetSite, settings: Settings) -> AsyncIterator[Website]:
    """Return the server of the shop, which takes webhooks at /hook."""
    settings.CHECK_LOCAL_SITES = True
    settings.SITE_URL = "https://chat.example.org"
    async with website() as found:
        url = f"http://localhost:{found.port}/hook"
        await WidgetSite.objects.aupdate(webhook_url=url, webhook_secret=SECRET)
        found.show("/hook")
        yield found


async def kinds() -> list[str]:
    return [row async for row in SiteNotice.objects.order_by("id").values_list("kind", flat=True)]


async def test_asking_for_a_person_is_mailed_to_the_team_without_the_text(
    agent_client: AsyncClient, vera: Visiting, chat: str
) -> None:
    for _ in range(2):
        await vera.post(f"conversations/{chat}/person-request")
    await deliver()
    assert sorted(each.to[0] for each in mail.outbox) == ["agnes@example.org", "alice@example.org"]
    assert all(" on Runnel." in str(each.body) for each in mail.outbox)
    first = mail.outbox[0]
    assert "A visitor asked to talk to a person." in first.subject
    assert f"/inbox/{chat}/" in first.body
    assert "canoe" not in first.body + first.subject
    await deliver()
    assert len(mail.outbox) == 2


async def test_webhooks_are_signed(vera: Visiting, chat: str, server: Website) -> None:
    answer = await Message.objects.alast()
    assert answer
    await vera.post(f"{chat}/messages/{answer.pk}/rating", {"value": -1})
    assert await waiting() == {"site_mail": 1, "site_webhook": 1}
    await deliver()
    assert await kinds() == ["rated_badly"]
    head, body = server.requests[0], server.bodies[0]
    given = json.loads(body)
    assert (given["event"], given["conversation"]) == ("rated_badly", chat)
    assert given["url"].startswith("https://chat.example.org/sites/")
    assert head.startswith("POST /hook")
    sent = next(each for each in head.splitlines() if each.lower().startswith("runnel-signature"))
    moment, digest = (each.partition("=")[2] for each in sent.partition(": ")[2].split(","))
    signed = moment.encode() + b"." + body
    assert digest == hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()


async def test_a_webhook_that_fails_is_tried_again_and_then_given_up(
    vera: Visiting, chat: str, server: Website, caplog: pytest.LogCaptureFixture
) -> None:
    server.show("/hook", status="500 Broken")
    await vera.post(f"conversations/{chat}/person-request")
    for tries in range(1, MAX_ATTEMPTS + 1):
        await deliver()
        await deliver()  # not due yet
        assert len(server.requests) == tries
        await make_due()
    assert "was given up" in caplog.text
    await deliver()
    assert len(server.requests) == MAX_ATTEMPTS
    assert len({json.loads(body)["id"] for body in server.bodies}) == 1


async def test_only_public_addresses_get_webhooks(
    vera: Visiting, chat: str, server: Website, settings: Settings
) -> None:
    settings.CHECK_LOCAL_SITES = False
    await vera.post(f"conversations/{chat}/person-request")
    await deliver()
    assert server.requests == []


async def test_a_server_that_answers_too_slowly_is_given_up(
    vera: Visiting, chat: str, server: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signed_post, "TIMEOUT_SECONDS", 1.0)
    server.answers["/hook"] = b"HTTP/1.1 200 OK\r\n"
    server.endless = b"X-More: header\r\n"  # each byte comes in time, but the headers never end
    server.pause_seconds = 0.05
    await vera.post(f"conversations/{chat}/person-request")
    await deliver()
    assert len(server.requests) == 1
    assert await waiting() == {"site_webhook": 1}
    assert (await Delivery.objects.aget()).last_error == "TimeoutError"


async def test_a_site_with_a_slow_server_does_not_delay_the_notices_of_others(
    shop: WidgetSite, server: Website, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signed_post, "TIMEOUT_SECONDS", 0.2)
    server.is_silent = True
    await shop.arefresh_from_db()
    for _ in range(2 * signed_post.AT_ONCE):
        await sync_to_async(notices.add)(shop, notices.Kind.RATED_BADLY, uuid.uuid4())
    other = await sync_to_async(make_site)(bob)
    await sync_to_async(notices.add)(other, notices.Kind.RATED_BADLY, uuid.uuid4())
    async with asyncio.timeout(signed_post.AT_ONCE * TIMEOUT_SECONDS / 2):
        await deliver()
    assert [each.to for each in mail.outbox].count([bob.email]) == 1


async def test_visitors_cannot_flood_the_team_with_mails(shop: WidgetSite, server: Website) -> None:
    await shop.arefresh_from_db()
    for _ in range(notices.MAX_MAILED + 5):
        await sync_to_async(notices.add)(shop, notices.Kind.RATED_BADLY, uuid.uuid4())
    found = await waiting()
    assert found["site_mail"] == notices.MAX_MAILED
    assert found["site_webhook"] == notices.MAX_MAILED + 5


async def test_one_visitor_cannot_use_up_the_mails_of_all(
    vera: Visiting, chat: str, shop: WidgetSite
) -> None:
    owner = (await Conversation.objects.aget(pk=chat)).owner_id
    for _ in range(notices.MAX_MAILED):
        own = await Conversation.objects.acreate(owner_id=owner, title="Another")
        await sync_to_async(notices.add)(shop, notices.Kind.PERSON_REQUESTED, own.pk)
    assert len(await kinds()) == notices.MAX_MAILED_OF_VISITOR
    sent = await (other := await visit(shop)).send("Hello")
    await read_stream(sent)
    await other.post(f"conversations/{sent['X-Conversation-Id']}/person-request")
    assert len(await kinds()) == notices.MAX_MAILED_OF_VISITOR + 1


async def test_two_processes_add_a_notice_once(
    shop: WidgetSite, chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = threading.Barrier(2)
    may_mail = notices._may_mail

    def meet(*given: Any) -> bool:
        with suppress(threading.BrokenBarrierError):  # one waits for the other's transaction
            both.wait(timeout=1)
        return may_mail(*given)

    monkeypatch.setattr(notices, "_may_mail", meet)
    add = sync_to_async(_added, thread_sensitive=False)
    await asyncio.gather(*(add(shop, uuid.UUID(chat)) for _ in range(2)))
    assert await kinds() == ["waiting"]


def _added(shop: WidgetSite, conversation_id: uuid.UUID) -> None:
    try:
        notices.add(shop, notices.Kind.WAITING, conversation_id)
    finally:
        connections.close_all()


async def test_a_visitor_whom_nobody_answers_is_waiting(
    agent_client: AsyncClient, vera: Visiting, chat: str, inbox: Callable[..., str]
) -> None:
    await agent_client.post(inbox(chat) + "takeover/")
    await vera.send("Hello?", chat)
    await sync_to_async(notices.find_waiting)()
    assert await kinds() == []
    late = timezone.now() - 2 * notices.WAITS_AFTER
    await Message.objects.filter(text="Hello?").aupdate(created_at=late)
    for _ in range(2):
        await sync_to_async(notices.find_waiting)()
    assert await kinds() == ["waiting"]


async def test_old_notices_are_forgotten_and_what_waits_is_delivered(
    shop: WidgetSite, chat: str
) -> None:
    await sync_to_async(notices.add)(shop, notices.Kind.WAITING, uuid.UUID(chat))
    await SiteNotice.objects.aupdate(created_at=timezone.now() - 2 * notices.QUIET)
    await sync_to_async(notices.remove_old)()
    assert await kinds() == []
    await deliver()
    assert len(mail.outbox) == 1


async def test_an_owner_turns_notices_on_and_sees_the_secret_once(
    alice_client: AsyncClient, shop: WidgetSite, settings: Settings
) -> None:
    settings.CHECK_LOCAL_SITES = False
    place = f"/sites/{shop.key}/people/"
    form: dict[str, Any] = {"webhook_url": "https://shop.example/hook"}
    assert (await alice_client.post(place, form)).status_code == 302
    await shop.arefresh_from_db()
    assert not shop.notifies_by_mail
    assert len(shop.webhook_secret) > 30
    other = await WidgetSite.objects.acreate(owner_id=shop.owner_id, name="Other")
    elsewhere = (await alice_client.get(f"/sites/{other.key}/people/")).content.decode()
    assert shop.webhook_secret not in elsewhere
    pages = [(await alice_client.get(place)).content.decode() for _ in range(2)]
    assert [shop.webhook_secret in page for page in pages] == [True, False]
    await alice_client.post(place, form)
    before = shop.webhook_secret
    await shop.arefresh_from_db()
    assert shop.webhook_secret == before
    for address in (
        "http://shop.example/hook",
        "nonsense",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/",
        "https://[::1]/hook",
        "https://[::ffff:10.0.0.1]/",
        "https://10.1.2.3:8443/",
        "https://user:p@shop.example/",
        "https://localhost/hook",
        "https://printer.local/",
        "https://shop.example:22/",
    ):
        refused = await alice_client.post(place, form | {"webhook_url": address})
        assert refused.status_code == 422
        assert address in refused.content.decode()
    await alice_client.post(place, {})
    await shop.arefresh_from_db()
    assert (shop.webhook_url, shop.webhook_secret) == ("", "")


def test_a_signature_depends_on_time_body_and_secret() -> None:
    signed = {
        signed_post.signature("secret", b"body", 1), signed_post.signature("secret", b"body", 2),
        signed_post.signature("secret", b"other", 1), signed_post.signature("other", b"body", 1),
    }  # fmt: skip
    assert len(signed) == 4
