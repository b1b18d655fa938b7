"""A link from a figure lists exactly what was counted, wherever its reader is."""

import html
import random
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review import utc_days
from chat.review.analytics import rollup
from tests.review.conftest import say
from tests.support.review.analytics import ask
from tests.support.review.member_pages import text_of

ZONES = ("UTC", "America/New_York", "Pacific/Auckland")
COUNT = re.compile(r"(\d+) (?:answer|chat)s?\b")


@pytest.fixture
def around_midnight(alice: User) -> None:
    """Let alice ask every hour of the last four days."""
    now = timezone.now().astimezone(UTC).replace(minute=30)
    for hours in range(1, 96):
        ask(alice, now - timedelta(hours=hours), random.Random(hours))
    rollup.close_days(60)
    rollup.recount()


def listed(client: Client, address: str) -> int:
    status = re.search(r'role="status">(.*?)</p>', text_of(client, html.unescape(address)), re.S)
    assert status, address
    return int(COUNT.search(status[1])[1])  # type: ignore[index]


@pytest.mark.parametrize("zone", ZONES)
def test_a_bar_lists_what_it_counts_in_every_time_zone(
    around_midnight: None, lead_browser: Client, zone: str
) -> None:
    lead_browser.cookies["time_zone"] = zone
    page = text_of(lead_browser, "/review/analytics/", days=7)
    days = lead_browser.get("/review/analytics/days.json?days=7").json()["days"]
    counted = {each["day"]: each for each in days if each["messages"]}
    assert len(counted) >= 4
    addresses = {html.unescape(each) for each in re.findall(r'href="(/review/\?[^"]+)"', page)}
    for day, figures in counted.items():
        on_day = [each for each in addresses if f"since={day}&until={day}" in each]
        answers = next(each for each in on_day if "show=answers" in each)
        chats = next(each for each in on_day if "time=started" in each)
        assert listed(lead_browser, answers) == figures["messages"], day
        assert listed(lead_browser, chats) == figures["chats"], day


def test_a_models_figure_leaves_out_models_with_longer_names(
    alice: User, lead_browser: Client
) -> None:
    now = timezone.now()
    for number, model in enumerate(("Org/one", "Org/one", "Org/one-large")):
        made = ask(alice, now, random.Random(number))
        Generation.objects.filter(pk=made.pk).update(model=model)
        Charge.objects.filter(pk=made.pk).update(model=model)
    page = html.unescape(text_of(lead_browser, "/review/analytics/"))
    found = re.findall(r'href="(/review/\?[^"]*model=%22Org%2Fone%22[^"]*)"', page)
    assert {listed(lead_browser, each) for each in found} == {2}
    for wanted, count in (('"Org/one"', 2), ("org/one", 3), ("Org/one", 3), ('"one"', 0)):
        for show in ("", "answers"):
            shown = text_of(lead_browser, "/review/", model=wanted, show=show)
            assert shown.count("data-step") == count, (wanted, show)


def test_logs_and_lists_have_the_same_days(alice: User, lead_browser: Client, lead: User) -> None:
    lead_browser.cookies["time_zone"] = "Pacific/Auckland"
    today = utc_days.today()
    say(alice, "Rivers")
    lead_browser.get("/review/")
    for path in ("/review/", "/review/audit/"):
        kind = {"kind": "all"} if "audit" in path else {}
        for day, is_there in ((today, True), (today + utc_days.ONE_DAY, False)):
            shown = text_of(lead_browser, path, since=day, until=day, **kind)
            assert ("<tbody" in shown) is is_there, (path, day)


def test_times_name_their_zone_and_tell_a_repeated_hour_apart(
    alice: User, lead_browser: Client
) -> None:
    chat = say(alice, "Rivers", "Water")
    first, last = chat.messages.order_by("id")
    for message, hour in ((first, 5), (last, 6)):  # the clocks go back in between
        at = datetime(2026, 11, 1, hour, 30, tzinfo=UTC)
        type(message).objects.filter(pk=message.pk).update(created_at=at)
    shown = text_of(lead_browser, f"/review/{chat.pk}/")
    assert shown.count(" UTC</time>") >= 2
    lead_browser.cookies["time_zone"] = "America/New_York"
    shown = text_of(lead_browser, f"/review/{chat.pk}/")
    assert '<time datetime="2026-11-01T05:30:00+00:00">' in shown
    assert re.search(r"1:30[^<]* EDT</time>", shown)
    assert re.search(r"1:30[^<]* EST</time>", shown)
    lead_browser.cookies["time_zone"] = "Asia/Dubai"
    shown = text_of(lead_browser, f"/review/{chat.pk}/")
    assert re.search(r"9:30[^<]* UTC\+04</time>", shown)
