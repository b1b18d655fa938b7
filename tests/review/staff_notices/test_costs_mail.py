"""Staff who see figures and choose it are mailed the costs of each month, once."""

import random
from datetime import UTC, date, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core import mail
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.outbox.models import Delivery
from chat.quotas.models import Charge
from chat.review.analytics import rollup
from chat.review.models import ReviewScope
from chat.review.staff_notices import costs_mail
from chat.review.staff_notices.models import NoticeChoices
from tests.review.conftest import SENTINEL, give, say
from tests.support.outbox import deliver
from tests.support.review.analytics import ask
from tests.support.review.member_pages import client_of

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")
PAGE = "/review/notifications/"


@pytest.fixture
def figures(transactional_db: None) -> User:
    fiona = User.objects.create_user("fiona@example.org", "tide table", name="Fiona")
    return give(fiona, "view_figures")


@pytest.fixture
def chosen(figures: User) -> NoticeChoices:
    return NoticeChoices.objects.create(person=figures, costs_by_mail=True)


def in_last_month() -> datetime:
    return datetime.combine(costs_mail.this_month(), datetime.min.time(), UTC) - timedelta(days=3)


@pytest.fixture
def spent(alice: User, bob: User, pupils: Group) -> float:
    """Let alice, a pupil, and bob spend something in the last month; return how much."""
    choose = random.Random(7)
    for person in (alice, alice, bob):
        ask(person, in_last_month(), choose)
    ask(alice, timezone.now(), choose)
    rollup.close_days(60)
    last = Charge.objects.filter(created_at__lte=in_last_month())
    return sum(each.microdollars for each in last) / 1_000_000


async def mailed() -> list[str]:
    """Return to whom mails go now."""
    mail.outbox.clear()
    await sync_to_async(costs_mail.find_due)()
    await deliver(costs_mail.MAIL)
    return [each.to[0] for each in mail.outbox]


async def test_the_mail_has_the_costs_of_the_last_month(
    spent: float, chosen: NoticeChoices, alice: User
) -> None:
    await sync_to_async(say)(alice, SENTINEL, SENTINEL)
    assert await mailed() == ["fiona@example.org"]
    text = str(mail.outbox[0].body)
    first = in_last_month().date().replace(day=1)
    assert f"cost ${spent:.4f} for 3 messages" in text
    assert "Pupils · This site · @cf/test/" in text
    assert f"/review/analytics/?since={first.isoformat()}&until=" in text
    assert alice.email not in text
    assert SENTINEL not in text


async def test_it_comes_once_a_month(spent: float, chosen: NoticeChoices) -> None:
    assert await mailed() == ["fiona@example.org"]
    assert await mailed() == []
    await NoticeChoices.objects.aupdate(costs_mailed_in=date(2020, 1, 1))
    assert await mailed() == ["fiona@example.org"]


def test_of_several_processes_one_mails(chosen: NoticeChoices) -> None:
    month = costs_mail.this_month()
    for _process in range(3):
        costs_mail._add(chosen.person_id, month)
    assert Delivery.objects.count() == 1


async def test_it_waits_until_all_days_are_counted(alice: User, chosen: NoticeChoices) -> None:
    await sync_to_async(ask)(alice, in_last_month(), random.Random(1))
    assert await mailed() == []
    await sync_to_async(rollup.close_days)(60)
    assert await mailed() == ["fiona@example.org"]


async def test_nobody_gets_it_who_may_not_see_figures(
    spent: float, chosen: NoticeChoices, settings: Settings
) -> None:
    settings.REVIEW_PRIVACY = "off"
    assert await mailed() == []
    settings.REVIEW_PRIVACY = "normal"
    await sync_to_async(chosen.person.user_permissions.clear)()
    assert await mailed() == []


async def test_a_scope_limits_the_mail(spent: float, chosen: NoticeChoices, pupils: Group) -> None:
    await ReviewScope.objects.acreate(reviewer=chosen.person, members=pupils)
    assert await mailed() == ["fiona@example.org"]
    assert "for 2 messages" in str(mail.outbox[0].body)


async def test_it_is_in_the_receivers_language(spent: float, chosen: NoticeChoices) -> None:
    await User.objects.filter(pk=chosen.person_id).aupdate(preferences={"language": "de"})
    await mailed()
    whole, decimals = f"{spent:.4f}".split(".")
    assert f"${whole},{decimals}" in str(mail.outbox[0].body)


def test_who_chooses_it_is_mailed_from_this_month_on(figures: User) -> None:
    client = client_of(figures)
    page = client.get(PAGE).content.decode()
    assert "costs_by_mail" in page
    assert "by_mail" not in page.replace("costs_by_mail", "")
    assert "webhook_url" not in page
    assert client.post(PAGE, {"costs_by_mail": "on"}).status_code == 302
    choices = NoticeChoices.objects.get(person=figures)
    assert (choices.costs_by_mail, choices.costs_mailed_in) == (True, costs_mail.this_month())
    costs_mail.find_due()
    assert Delivery.objects.count() == 0


async def test_reviewers_without_figures_are_not_offered_it(reviewer_client: AsyncClient) -> None:
    page = (await reviewer_client.get(PAGE)).content.decode()
    assert "costs_by_mail" not in page
    assert "is_on_duty" in page


def test_an_auditor_chooses_how_to_be_told_of_the_log(transactional_db: None) -> None:
    otto = User.objects.create_user("otto@example.org", "tide table")
    page = client_of(give(otto, "view_audit_log")).get(PAGE).content.decode()
    assert "by_mail" in page
    assert "costs_by_mail" not in page
    assert "is_on_duty" not in page
    assert "when the audit log can" in page
