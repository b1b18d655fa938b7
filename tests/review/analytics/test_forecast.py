"""Analytics forecasts what the running month will cost, and says on what basis."""

import html
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.review.analytics.forecast import MonthForecast, month_forecast
from chat.review.analytics.models import DailyUsage
from chat.review.analytics.reports import Period, UsageReport
from chat.web.review.analytics import forecast_presenter
from tests.review.conftest import staff_context_of
from tests.support.review.member_pages import client_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 4, 11, 12, tzinfo=UTC)  # 10.5 days of 30


def cost(owner: User, day: datetime, dollars: float, site: str = "") -> None:
    DailyUsage.objects.create(
        day=day.date(), owner=owner.pk, site=site, model="m", microdollars=round(dollars * 1e6)
    )


def forecast(person: User, now: datetime = NOW, group: int | None = None) -> MonthForecast:
    period = Period(now.date() - timedelta(days=90), now.date() - timedelta(days=60))
    return month_forecast(UsageReport(staff_context_of(person).reviewer, period, group), now)


def test_the_average_of_a_day_is_continued_to_the_end_of_the_month(lead: User, alice: User) -> None:
    cost(alice, NOW - timedelta(days=10), 6)
    cost(alice, NOW, 1)
    found = forecast(lead)
    assert found.dollars == pytest.approx(7)
    assert found.dollars_by_its_end == pytest.approx(20)


def test_other_months_do_not_count(lead: User, alice: User) -> None:
    cost(alice, NOW - timedelta(days=11), 6)
    cost(alice, NOW + timedelta(days=30), 6)
    assert forecast(lead).dollars_by_its_end == 0


def test_on_the_first_day_there_is_no_forecast(lead: User, alice: User) -> None:
    first = datetime(2026, 4, 1, 23, 59, tzinfo=UTC)
    cost(alice, first, 3)
    found = forecast(lead, first)
    assert (found.dollars, found.dollars_by_its_end) == (3, None)
    assert forecast(lead, first + timedelta(days=1)).dollars_by_its_end == pytest.approx(
        45, abs=0.1
    )


def test_it_covers_whom_the_viewer_may_see(
    lead: User, reviewer: User, alice: User, bob: User, pupils: Group
) -> None:
    cost(alice, NOW, 3)  # a pupil
    cost(bob, NOW, 4)
    assert forecast(lead).dollars == 7
    assert forecast(lead, group=pupils.pk).dollars == 3
    assert forecast(reviewer).dollars == 3


def test_the_page_says_it_in_words(
    lead: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost(alice, NOW - timedelta(days=10), 7)
    monkeypatch.setattr(
        forecast_presenter, "month_forecast", lambda report: month_forecast(report, NOW)
    )
    page = html.unescape(client_of(lead).get("/review/analytics/").content.decode())
    assert "April 2026" in page
    assert "$7.00" in page
    assert "$20.00" in page
    assert "$0.6667 a day, for the 30 days of the month." in page
