"""The sidebar's list: grouped by the member's days, one page at a time."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.templatetags.turns import _Headings
from chat.web.chat.sidebar import PAGE_LENGTH
from tests.support.web.sidebar_html import older, parts, titles

pytestmark = pytest.mark.django_db


def add(owner: User, count: int, newest: datetime, step: timedelta = timedelta(0)) -> None:
    Conversation.objects.bulk_create(
        Conversation(owner=owner, title=f"chat {number:04}", updated_at=newest - number * step)
        for number in range(count)
    )


@pytest.mark.parametrize("step", [timedelta(0), timedelta(hours=7)])
def test_all_pages_together_contain_each_entry_once(
    browser: Client, alice: User, step: timedelta
) -> None:
    """Including entries of the same time, which differ only in their IDs."""
    add(alice, 3 * PAGE_LENGTH + 7, timezone.now(), step)
    address, seen, headings = "/chat/sidebar/", [], []
    while address:
        page = browser.get(address).content.decode()
        seen += titles(page)
        headings += parts(page)
        address = older(page)
    assert len(seen) == 3 * PAGE_LENGTH + 7
    assert len(set(seen)) == len(seen)
    assert len(set(headings)) == len(headings)  # no part begins twice


def test_a_list_that_changes_meanwhile_repeats_nothing(browser: Client, alice: User) -> None:
    add(alice, 2 * PAGE_LENGTH, timezone.now(), timedelta(minutes=1))
    first = browser.get("/chat/sidebar/").content.decode()
    add(alice, 10, timezone.now() + timedelta(hours=1))
    rest = titles(browser.get(older(first)).content.decode())
    assert rest == [f"chat {number:04}" for number in range(PAGE_LENGTH, 2 * PAGE_LENGTH)]


def test_a_reload_returns_as_many_entries_as_were_shown(browser: Client, alice: User) -> None:
    add(alice, 3 * PAGE_LENGTH, timezone.now(), timedelta(minutes=1))
    page = browser.get("/chat/sidebar/", {"count": 2 * PAGE_LENGTH}).content.decode()
    assert len(titles(page)) == 2 * PAGE_LENGTH
    for count in ("", "0", "-3", "x", "9" * 50, "٣"):
        assert browser.get("/chat/sidebar/", {"count": count}).status_code == 200


def test_without_scripts_older_entries_are_behind_a_link(browser: Client, alice: User) -> None:
    add(alice, 2 * PAGE_LENGTH, timezone.now(), timedelta(minutes=1))
    page = browser.get("/chat/").content.decode()
    link = re.search(r'href="(\?before=[^"]+)"', page)
    assert link
    assert titles(browser.get("/chat/" + link[1]).content.decode())[0] == f"chat {PAGE_LENGTH:04}"


@pytest.mark.parametrize(
    "before",
    [
        "x",
        ",,",
        "1,2026-01-01,",
        "1,2026-01-01T00:00:00,no",
        "1,0001-01-01T00:00:00+23:59,0",
        "\x00,\x00,\x00",
        "7,2026-01-01,9f1c0c5e-4b1a-4f0e-8a55-0d6c1f2e3a4b",
    ],
)
def test_an_invalid_page_is_refused_with_the_reason(browser: Client, before: str) -> None:
    response = browser.get("/chat/sidebar/", {"before": before})
    assert response.status_code == 400
    assert "Reload the page" in response.json()["error"]["message"]


NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)  # Berlin lost an hour that night


@pytest.mark.parametrize(
    ("zone", "moment", "part"),
    [
        ("UTC", "2026-03-29T00:00:00+00:00", "Today"),
        ("UTC", "2026-03-28T23:59:59+00:00", "Yesterday"),
        ("Europe/Berlin", "2026-03-28T23:00:00+00:00", "Today"),  # midnight, still winter time
        ("Europe/Berlin", "2026-03-28T22:59:59+00:00", "Yesterday"),
        ("Europe/Berlin", "2026-03-27T23:00:00+00:00", "Yesterday"),
        ("Europe/Berlin", "2026-03-27T22:59:59+00:00", "Previous 7 days"),
        ("Pacific/Auckland", "2026-03-29T10:59:59+00:00", "Yesterday"),  # there it is the 30th
        ("America/Los_Angeles", "2026-03-29T06:59:59+00:00", "Yesterday"),
        ("UTC", "2026-03-22T00:00:00+00:00", "Previous 7 days"),
        ("UTC", "2026-03-21T23:59:59+00:00", "Previous 30 days"),
        ("UTC", "2026-02-26T23:59:59+00:00", "February 2026"),
        ("UTC", "2025-12-31T23:59:59+00:00", "December 2025"),
        ("Asia/Tokyo", "2025-12-31T23:59:59+00:00", "January 2026"),
        ("UTC", "2026-04-01T00:00:00+00:00", "Today"),  # a clock that is ahead
    ],
)
def test_days_are_in_the_members_time_zone(
    zone: str, moment: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    with timezone.override(zone):
        assert _Headings().age_of(datetime.fromisoformat(moment)) == part


def test_month_names_are_in_the_members_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    with translation.override("de"):
        assert _Headings().age_of(datetime(2025, 12, 5, tzinfo=UTC)) == "Dezember 2025"


@pytest.mark.parametrize("cookie", ["Pacific%2FKiritimati", "Pacific/Kiritimati"])
def test_the_browser_sends_its_time_zone(browser: Client, alice: User, cookie: str) -> None:
    add(alice, 1, timezone.now())
    browser.cookies["time_zone"] = cookie
    page = browser.get(f"/chat/{Conversation.objects.get().pk}/").content.decode()
    assert parts(page) == ["Today"]
    Conversation.objects.update(updated_at=timezone.now() - timedelta(hours=24))
    assert parts(browser.get("/chat/sidebar/").content.decode()) == ["Yesterday"]
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize(
    "cookie", ["", "Nowhere", "../../etc/passwd", "Europe", "x" * 9000, "%00", "%FF"]
)
def test_an_unknown_time_zone_falls_back_to_the_sites(browser: Client, cookie: str) -> None:
    browser.cookies["time_zone"] = cookie
    assert browser.get("/chat/").status_code == 200
