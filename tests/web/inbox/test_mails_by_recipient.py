"""Each recipient of a notice gets it once, whatever the mail server says to the others."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.mail import EmailMessage
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import mail
from chat.accounts.models import User
from chat.inbox import notices
from chat.outbox.claim import MAX_ATTEMPTS, RETRY_AFTER
from chat.outbox.errors import DeliveryFailed, DeliveryRefused
from chat.outbox.models import Delivery
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
from tests.support.outbox import deliver, make_due, waiting
from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_emails import ADDRESS, answer, leave, mail_answers

pytestmark = pytest.mark.usefixtures("no_network_jobs")
ALICE, AGNES, BOB = "alice@example.org", "agnes@example.org", "bob@example.org"


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    with mail_server(settings) as found:
        yield found


@pytest.fixture
async def notice(shop: WidgetSite, agent_client: AsyncClient, bob: User) -> None:
    """Add a notice that is due to three people."""
    await sync_to_async(team.add_member)(shop, bob, SiteMember.Role.AGENT)
    await shop.arefresh_from_db()
    await sync_to_async(notices.add)(shop, notices.Kind.RATED_BADLY, uuid.uuid4())


async def deliver_again() -> None:
    await make_due()
    await deliver()


async def test_who_is_refused_for_now_is_tried_again_and_nobody_else(
    notice: None, server: MailServer
) -> None:
    server.replies[BOB] = "451 4.7.1 greylisted, try again"
    await deliver()
    assert server.taken == {ALICE: 1, AGNES: 1}
    left = await Delivery.objects.aget()
    assert left.due_at
    assert abs(left.due_at - timezone.now() - RETRY_AFTER[0]) < timedelta(seconds=50)
    assert left.last_error == "SMTPRecipientsRefused 451"
    await deliver()  # not due yet
    assert server.tried[BOB] == 1
    del server.replies[BOB]
    await deliver_again()
    assert server.taken == {ALICE: 1, AGNES: 1, BOB: 1}
    assert not await Delivery.objects.aexists()


async def test_who_is_refused_for_good_is_not_tried_again(notice: None, server: MailServer) -> None:
    server.replies[BOB] = "550 5.1.1 no such user"
    await deliver()
    assert not await waiting()
    assert server.tried == {ALICE: 1, AGNES: 1, BOB: 1}


async def test_a_server_that_takes_its_time_gets_each_mail_once(
    notice: None, server: MailServer, settings: Settings
) -> None:
    settings.EMAIL_TIMEOUT, server.pause_seconds = 0.5, 1.0
    await deliver()
    await deliver_again()
    assert server.taken == {ALICE: 1, AGNES: 1, BOB: 1}


async def test_a_server_that_never_answers_gets_each_mail_twice_at_most(
    notice: None, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "PATIENT_SECONDS", 0.2)
    server.is_silent = True
    for _ in range(3):
        await deliver_again()
    assert server.taken == {ALICE: 2, AGNES: 2, BOB: 2}


async def test_a_server_that_is_away_is_tried_until_the_notice_is_given_up(
    notice: None, server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.replies = dict.fromkeys((ALICE, AGNES, BOB), "421 4.3.2 shutting down")
    for _ in range(MAX_ATTEMPTS + 1):
        await deliver_again()
    assert server.tried == dict.fromkeys((ALICE, AGNES, BOB), MAX_ATTEMPTS)
    assert "was given up" in caplog.text


async def test_who_leaves_the_team_meanwhile_gets_nothing(
    notice: None, server: MailServer, bob: User, shop: WidgetSite
) -> None:
    await shop.team.filter(user=bob).adelete()
    await deliver()
    assert server.tried == {ALICE: 1, AGNES: 1}
    assert not await Delivery.objects.aexists()


@pytest.mark.parametrize("gone", ["hidden", "deleted"])
async def test_the_team_of_a_deleted_website_gets_nothing(
    notice: None, server: MailServer, shop: WidgetSite, gone: str
) -> None:
    if gone == "hidden":
        await WidgetSite.objects.aupdate(deleted_at=timezone.now())
    else:
        await shop.adelete()
    await deliver()
    assert not server.tried
    assert not await Delivery.objects.aexists()


async def test_a_mail_has_the_same_id_on_each_attempt(notice: None, server: MailServer) -> None:
    server.reply_to_data = "451 busy"
    await deliver()
    server.reply_to_data = "250 taken"
    await deliver_again()
    for address in (ALICE, AGNES, BOB):
        first, second = server.ids[address]
        assert first == second
    assert len({each[0] for each in server.ids.values()}) == 3


def test_a_claim_is_longer_than_the_slowest_mail() -> None:
    assert mail.LEASE.total_seconds() > mail.MAIL_SECONDS


@pytest.mark.parametrize(
    ("reply", "error"),
    [("452 4.3.1 full", DeliveryFailed), ("554 5.7.1 spam", DeliveryRefused)],
)
def test_the_answer_to_the_message_decides(
    server: MailServer, reply: str, error: type[Exception]
) -> None:
    mail.deliver_now(EmailMessage("Hello", "", to=[ALICE]), uuid.uuid4())
    server.reply_to_data = reply
    with pytest.raises(error) as raised:
        mail.deliver_now(EmailMessage("Hello", "", to=[ALICE]), uuid.uuid4())
    assert raised.type is error


def test_a_server_that_cannot_be_reached_fails_for_now(
    server: MailServer, settings: Settings
) -> None:
    settings.EMAIL_PORT = 1
    with pytest.raises(DeliveryFailed) as raised:
        mail.deliver_now(EmailMessage("Hello", "", to=[ALICE]), uuid.uuid4())
    assert raised.type is DeliveryFailed


async def test_a_visitors_mail_of_unknown_outcome_is_repeated_once(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    server: MailServer, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(mail, "PATIENT_SECONDS", 0.2)
    server.is_silent = True
    await WidgetSite.objects.aupdate(asks_email=True)
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    for _ in range(4):
        await mail_answers()
        await make_due()
    assert server.taken == {ADDRESS: 2}


async def test_a_visitors_address_that_is_refused_for_good_is_not_tried_again(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    server: MailServer,
) -> None:  # fmt: skip
    server.replies[ADDRESS] = "550 no such user"
    await WidgetSite.objects.aupdate(asks_email=True)
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    for _ in range(3):
        await mail_answers()
        await make_due()
    assert server.tried == {ADDRESS: 1}
