"""Members see what they have used, by day and by model."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.formats import date_format

from chat.accounts.models import User
from chat.quotas.models import Charge, Limit
from chat.quotas.usage_by_day import UsageSum, total, usage_by_day, usage_by_model

pytestmark = pytest.mark.django_db
LLAMA = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
PAGE = "/settings/usage/"


def noon(days_ago: int = 0) -> datetime:
    today = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    return today - timedelta(days=days_ago)


def charge(user: User, at: datetime, dollars: float, **fields: Any) -> None:
    row = {"model": LLAMA, "settled_at": at, "tokens": 100} | fields
    Charge.objects.create(
        user=user, keys=[], prompt_tokens=1, created_at=at, millineurons=0,
        microdollars=round(dollars * 1_000_000), **row,
    )  # fmt: skip


def test_charges_are_summed_up_by_the_day_in_utc(alice: User, bob: User) -> None:
    charge(alice, noon(2).replace(hour=0), 1)
    charge(alice, noon(2).replace(hour=23, minute=59), 2)
    charge(alice, noon(), 4)
    charge(alice, noon(), 8, settled_at=None)  # reserved for an answer in progress
    charge(alice, noon(3), 16)  # before the first day
    charge(bob, noon(), 32)
    first, last = noon(2).date(), noon().date()
    found = usage_by_day(alice.pk, first, last)
    assert list(found) == [first, noon(1).date(), last]
    assert list(found.values()) == [
        UsageSum(2, 200, 3_000_000),
        UsageSum(),
        UsageSum(1, 100, 4_000_000),
    ]
    assert total(found.values()) == UsageSum(3, 300, 7_000_000)
    assert total([]) == UsageSum()


def test_the_most_expensive_model_comes_first(alice: User) -> None:
    charge(alice, noon(), 1)
    charge(alice, noon(), 5, model="gone/model")
    found = usage_by_model(alice.pk, noon().date(), noon().date())
    assert list(found) == ["gone/model", LLAMA]


def test_the_page_shows_the_values_in_charts_and_in_a_table(browser: Client, alice: User) -> None:
    charge(alice, noon(1), 1.5)
    charge(alice, noon(1), 0, model="gone/model")
    Limit.objects.create(scope="member", measure="dollars", amount=20)
    page = browser.get(PAGE).content.decode()
    day = date_format(noon(1), "DATE_FORMAT")
    assert f"<title>{day}: 2</title>" in page
    assert f"<title>{day}: $1.50</title>" in page
    row = page.partition(f">{day}</time>")[2].partition("</tr>")[0]
    assert re.findall(r"<bdi>([^<]+)</bdi>", row) == ["2", "200", "$1.50"]
    assert "Llama 3.3 70B" in page
    assert "gone/model" in page
    assert "Cost this month" in page
    assert page.count('class="chart-day"') == 2 * 30


@pytest.mark.parametrize(("asked", "days"), [("7", 7), ("90", 90), ("8", 30), ("x", 30)])
def test_only_the_offered_periods_are_shown(browser: Client, asked: str, days: int) -> None:
    page = browser.get(PAGE, {"days": asked}).content.decode()
    assert page.count('class="chart-day"') == 2 * days
    assert f'<a class="button" href="?days={days}" aria-current="true">' in page


def test_a_member_who_has_used_nothing_is_told(browser: Client, bob: User) -> None:
    charge(bob, noon(), 3)
    page = browser.get(PAGE).content.decode()
    assert "No answers in this period." in page
    assert "By model" not in page
