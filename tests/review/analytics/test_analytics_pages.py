"""The analytics page, and its tables as files."""

import csv
import io
import json
import random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.review.analytics.models import RolledUpDay
from chat.review.analytics.reports import Period
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import staff_context_of
from tests.support.review.analytics import ask, total


def test_the_page_shows_figures_and_charts(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    shown = lead_browser.get(f"/review/analytics/?since={period.first}&until={period.last}")
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "style=" not in text
    assert text.count('class="chart plot"') == 9
    assert "&lt;b&gt;Shop&lt;/b&gt;" in text
    assert "<b>Shop" not in text
    assert User.objects.get(email__startswith="alice").name in text
    assert "@cf/test/one" in text
    assert "The model provider is busy" in text
    assert "upstream_busy" not in text


def test_with_pseudonyms_no_name_is_shown(
    asked: list[Generation], lead_browser: Client, settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    for path in (
        "/review/analytics/",
        "/review/analytics/people.csv",
        "/review/analytics/people.json",
    ):
        text = lead_browser.get(path).content.decode()
        assert "alice" not in text
        assert "Person " in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("since=2026-02-02&until=2026-02-01", "is after the end date"),
        ("since=2020-01-01&until=2026-01-01", "at most 400 days"),
        ("since=yesterday", "Enter a valid date"),
        ("until=0001-01-01", "Ensure this value"),
    ],
)
def test_an_invalid_period_is_refused_with_the_reason(
    lead_browser: Client, query: str, words: str
) -> None:
    shown = lead_browser.get(f"/review/analytics/?{query}")
    assert shown.status_code == 422
    assert words in shown.content.decode()
    assert lead_browser.get(f"/review/analytics/days.csv?{query}").status_code == 400


def test_each_table_is_downloaded_with_the_same_figures(
    asked: list[Generation], lead_browser: Client, lead: User, period: Period
) -> None:
    query = f"since={period.first}&until={period.last}"
    whole = total(staff_context_of(lead), period)
    for name in ("summary", "days", "quality", "models", "people", "sites", "errors"):
        sent = lead_browser.get(f"/review/analytics/{name}.csv?{query}")
        assert sent["Content-Disposition"].startswith("attachment")
        rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
        same = json.loads(lead_browser.get(f"/review/analytics/{name}.json?{query}").content)[name]
        assert len(rows) == len(same) > 0
        if "tokens" in rows[0] and name != "people":
            assert sum(int(each["tokens"]) for each in rows) == whole["tokens"]
            assert sum(each["tokens"] for each in same) == whole["tokens"]
    assert lead_browser.get("/review/analytics/secrets.csv").status_code == 404
    assert lead_browser.get("/review/analytics/days.exe").status_code == 404


def test_a_name_never_becomes_a_formula(alice: User, bob: User, lead_browser: Client) -> None:
    User.objects.filter(pk=alice.pk).update(name="=HYPERLINK(1)")
    User.objects.filter(pk=bob.pk).update(name=" @SUM(1)")
    for who in (alice, bob):
        ask(who, timezone.now(), random.Random(1))
    text = lead_browser.get("/review/analytics/people.csv").content.decode("utf-8-sig")
    names = [row["person"] for row in csv.DictReader(io.StringIO(text))]
    assert sorted(names) == ["' @SUM(1)", "'=HYPERLINK(1)"]


def test_nothing_is_compared_while_earlier_days_are_uncounted(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    days = f"since={period.first}&until={period.last}"
    before = lead_browser.get(f"/review/analytics/?{days}").context
    assert any(change for _label, _value, change in before["key_figures"])
    RolledUpDay.objects.filter(day=period.first).delete()
    shown = lead_browser.get(f"/review/analytics/?{days}")
    assert "still being counted" in shown.content.decode()
    assert {change for _label, _value, change in shown.context["key_figures"]} == {""}
    assert {chart.change for chart in shown.context["amounts"]} == {""}


def test_an_empty_period_shows_a_message(lead_browser: Client, transactional_db: None) -> None:
    assert "No messages in this period." in lead_browser.get("/review/analytics/").content.decode()


def test_figures_of_one_website_can_be_shown(
    asked: list[Generation], lead_browser: Client, period: Period
) -> None:
    shop = WidgetSite.objects.get()
    days = f"since={period.first}&until={period.last}"
    shown = lead_browser.get(f"/review/analytics/?{days}").content.decode()
    assert f'href="/review/sites/{shop.key}/"' in shown
    rows = lead_browser.get(f"/review/analytics/sites.json?{days}&site={shop.pk}").json()["sites"]
    assert [each["site"] for each in rows] == [shop.name]
    assert lead_browser.get(f"/review/analytics/?site={shop.pk + 1}").status_code == 422
