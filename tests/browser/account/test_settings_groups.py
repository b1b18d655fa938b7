"""The groups of settings: their pages, the charts of usage, and custom instructions."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

PAGES = [f"/settings/{name}" for name in ("personalization/", "data/", "security/", "usage/")]

LIMIT = """
from chat.accounts.models import User
from chat.quotas.models import Limit
gina = User.objects.get(email="gina@example.org")
Limit.objects.create(scope="member", user=gina, measure="dollars", amount=1000)
"""


@pytest.fixture(scope="module")
def gina(site: LiveSite) -> StorageState:
    return sign_in(site, "gina@example.org")


@pytest.fixture
def used(open_chat: Callable[..., ChatPage], gina: StorageState) -> Page:
    """Open the usage page of a member who has asked something."""
    chat = open_chat(storage_state=gina)
    chat.ask("How long is a river?")
    chat.page.goto("/settings/usage/")
    return chat.page


def test_charts_show_their_values_to_the_mouse_and_the_keyboard(used: Page) -> None:
    chart = used.locator(".chart").first
    readout = chart.locator("[data-readout]")
    days = chart.locator("svg a")
    days.last.hover()
    expect(readout).to_contain_text(": 1")
    used.mouse.move(0, 0)
    expect(readout).to_have_text("")
    days.last.focus()
    today = readout.inner_text()
    assert today == days.last.get_attribute("aria-label")
    used.keyboard.press("ArrowLeft")
    expect(days.nth(28)).to_be_focused()
    expect(readout).not_to_have_text(today)
    used.keyboard.press("Home")
    expect(days.first).to_be_focused()
    expect(used.get_by_role("row", name=today.partition(":")[0])).to_contain_text("1")
    used.get_by_role("link", name="7 days").click()
    expect(used.locator(".chart").first.locator("svg a")).to_have_count(7)


@pytest.mark.quick
def test_each_limit_stands_in_one_line(site: LiveSite, used: Page) -> None:
    site.run(LIMIT)
    used.reload()
    rows = used.get_by_role("region", name="Your limits").locator("dl > div")
    assert rows.count() > 0
    for row in rows.all():
        name, amount = row.locator("dt").bounding_box(), row.locator("dd").bounding_box()
        assert name
        assert amount
        assert name["y"] == amount["y"]
        assert name["x"] + name["width"] < amount["x"]


def test_what_was_written_stays_if_it_cannot_be_saved(
    open_page: Callable[..., Page], gina: StorageState
) -> None:
    page = open_page("/settings/personalization/", storage_state=gina)
    page.get_by_label("Custom instructions").fill("x" * 3001)
    page.get_by_role("button", name="Save").click()
    field = page.get_by_label("Custom instructions")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("x" * 3001)
    field.fill("Answer in one sentence.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(field).to_have_value("Answer in one sentence.")


def test_a_page_below_a_group_leads_back(
    open_page: Callable[..., Page], gina: StorageState
) -> None:
    page = open_page("/settings/", storage_state=gina)
    groups = page.get_by_role("navigation", name="Settings")
    groups.get_by_role("link", name="Security").click()
    page.get_by_role("link", name="Devices").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Devices")
    expect(groups.get_by_role("link", name="Security")).to_have_attribute("aria-current", "true")
    page.locator(".settings-back").get_by_role("link", name="Security").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Security")


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "ar")])
def test_the_groups_fit_a_phone_and_are_accessible(
    open_page: Callable[..., Page], used: Page, gina: StorageState, theme: str, language: str
) -> None:
    options: dict[str, Any] = {"storage_state": gina, "color_scheme": theme} | BARE
    page = open_page(PAGES[0], locale=language, **options, **PHONE)
    for path in PAGES:
        page.goto(path)
        assert axe(page) == [], path
        assert overflow(page) <= 0, path
        # A checkbox has a label, and the days of a chart are rows of a table.
        small = [
            each for each in too_small(page) if not re.search('"checkbox"|<a role="img"', each)
        ]
        assert small == [], path
    page.set_viewport_size({"width": 1280, "height": 800})
    assert axe(page) == []
