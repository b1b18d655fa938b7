"""Charts and figures lead to what they count, and count nothing that a person did as an error."""

import random
import re
from datetime import UTC, datetime, timedelta
from html import unescape

from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.review.analytics import rollup
from chat.review.analytics.models import DailyErrors
from chat.review.analytics.reports import Period, UsageReport
from chat.web.review.analytics.presenters import error_label
from tests.review.conftest import staff_context_of
from tests.support.review.analytics import ask


def shown(client: Client, **query: str) -> str:
    response = client.get("/review/analytics/", query)
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_the_answers_of_a_day_are_as_many_as_its_chart_says(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    text = shown(lead_browser, since=str(period.first), until=str(period.last))
    day = asked[0].started_at.astimezone(UTC).date()
    while not period.first <= day <= period.last:
        day += timedelta(days=1)
    url = f"/review/?show=answers&time=sent&since={day}&until={day}"
    titles = re.findall(f'<a href="{re.escape(url)}" tabindex="-?[01]"><title>([^<]*)', text)
    number = sum(each.started_at.astimezone(UTC).date() == day for each in asked)
    assert any(title.endswith(f": {number}") for title in titles)
    answers = lead_browser.get(url).content.decode()
    assert answers.count("data-step") == number


def test_a_chart_is_one_stop_of_the_tab_key(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    text = shown(lead_browser, since=str(period.first), until=str(period.last))
    charts = re.findall(r'<figure class="chart plot">.*?</figure>', text, re.DOTALL)
    for chart in charts:
        assert chart.count('tabindex="0"') == 1
        assert chart.count('tabindex="-1"') == period.days - 1
        assert len(re.findall("<bdi>[^<]+</bdi>", chart.partition("chart-dates")[2])) >= 3


def test_models_people_and_websites_lead_to_what_they_used(
    asked: list[Generation], lead_browser: Client, period: Period, alice: User
) -> None:
    days = f"since={period.first}&until={period.last}"
    text = shown(lead_browser, since=str(period.first), until=str(period.last))
    within = "/review/?show=answers&time=sent"
    assert f"{within}&model=%22%40cf%2Ftest%2Fone%22&{days}" in text
    assert f"{within}&person={alice.pk}&{days}" in text


def test_tables_of_the_page_begin_with_the_newest_day(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    response = lead_browser.get(f"/review/analytics/?since={period.first}&until={period.last}")
    for name in ("days", "quality"):
        assert [row[0] for row in response.context[name].rows] == list(period)[::-1]


def test_last_month_can_be_chosen(lead_browser: Client, transactional_db: None) -> None:
    text = shown(lead_browser)
    first = timezone.now().astimezone(UTC).date().replace(day=1)
    last = first - timedelta(days=1)
    query = {"since": str(last.replace(day=1)), "until": str(last)}
    assert f'href="?since={query["since"]}&until={query["until"]}"' in text
    assert re.search(r'aria-current="true">\s*Last month', shown(lead_browser, **query))


def test_an_answer_that_a_person_stopped_is_no_error(
    alice: User, administrator: User, noon: datetime
) -> None:
    made = ask(alice, noon, random.Random(1))
    Generation.objects.filter(pk=made.pk).update(state="stopped", error_code="stopped_by_staff")
    rollup.count(noon.date())
    assert not DailyErrors.objects.exists()
    # Earlier versions counted it.
    DailyErrors.objects.create(day=noon.date(), owner=alice.pk, code="stopped_by_staff", count=1)
    reviewer = staff_context_of(administrator).reviewer
    assert UsageReport(reviewer, Period(noon.date(), noon.date())).by_error() == []


def test_errors_are_named_in_words() -> None:
    assert error_label("upstream_unreachable") == "The model provider can't be reached"
    assert error_label("from_an_earlier_version") == "Another error"
