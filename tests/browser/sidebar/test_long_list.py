"""A sidebar with hundreds of chats loads more as it is scrolled."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

START = "/chat/"
MAKE = """
from datetime import timedelta
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation
owner, now = User.objects.get(email="lena@example.org"), timezone.now()
Conversation.objects.bulk_create(
    Conversation(owner=owner, title=f"chat {n:03}", updated_at=now - timedelta(hours=5 * n))
    for n in range(130)
)
"""


@pytest.fixture(scope="module")
def lena(site: LiveSite) -> StorageState:
    state = sign_in(site, "lena@example.org")
    site.run(MAKE)
    return state


@pytest.fixture
def page(open_chat: Callable[..., ChatPage], lena: StorageState) -> Page:
    return open_chat(storage_state=lena).page


def entries(page: Page) -> list[str]:
    found: list[str] = page.locator("#conversations .entry > a").all_inner_texts()
    return found


@pytest.mark.quick
def test_scrolling_loads_older_chats(page: Page) -> None:
    expect(page.locator("#conversations .entry > a")).to_have_count(50)
    for count in (100, 130):
        page.locator("#older").scroll_into_view_if_needed()
        expect(page.locator("#conversations .entry > a")).to_have_count(count)
    expect(page.locator("#older")).to_have_count(0)
    shown = entries(page)
    assert len(set(shown)) == len(shown)
    headings = page.locator("#conversations h2").all_inner_texts()
    assert headings[0] == "Today"
    assert len(set(headings)) == len(headings)


def test_a_refresh_loads_as_many_chats_as_were_shown(page: Page) -> None:
    page.locator("#older").scroll_into_view_if_needed()
    expect(page.locator("#conversations .entry > a")).to_have_count(100)
    top = page.locator(".sidebar-history").evaluate("element => element.scrollTop")
    assert top > 0
    chat = ChatPage(page)
    chat.ask("A new one.")
    expect(page.get_by_role("link", name="A new one.", exact=True)).to_have_count(1)
    assert len(entries(page)) == 100
    assert page.locator(".sidebar-history").evaluate(
        "element => element.scrollTop"
    ) == pytest.approx(top, abs=80)


def test_older_chats_load_by_keyboard(page: Page) -> None:
    page.locator("#conversations .entry > a").last.focus()
    page.keyboard.press("Tab")  # its menu
    page.keyboard.press("Tab")
    expect(page.locator("#conversations .entry > a").nth(50)).to_be_focused()


def test_a_closed_drawer_loads_nothing(
    open_chat: Callable[..., ChatPage], lena: StorageState
) -> None:
    chat = open_chat(storage_state=lena, viewport={"width": 390, "height": 2000})
    chat.page.wait_for_timeout(500)
    assert len(entries(chat.page)) == 50
    chat.page.get_by_role("button", name="Chats", exact=True).click()
    chat.page.locator("#older").scroll_into_view_if_needed()
    expect(chat.page.locator("#conversations .entry > a")).to_have_count(100)


def test_days_follow_the_browsers_time_zone(
    open_chat: Callable[..., ChatPage], lena: StorageState
) -> None:
    """The first page does not know the time zone yet; the list is corrected at once."""
    chat = open_chat(storage_state=lena, timezone_id="Pacific/Kiritimati")
    expect(chat.page.locator("#conversations h2").first).to_be_visible()
    cookies = {each["name"]: each["value"] for each in chat.page.context.cookies()}
    assert cookies["time_zone"] == "Pacific%2FKiritimati"
    chat.page.wait_for_load_state("networkidle")
    chat.page.wait_for_timeout(300)
    before = chat.page.locator("#conversations").inner_text()
    chat.page.reload()
    assert chat.page.locator("#conversations").inner_text() == before
