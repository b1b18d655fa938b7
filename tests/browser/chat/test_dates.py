"""The server and the page's scripts write dates and times alike, in each language."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.variants import later

START = "/chat/"
SERVER_TIME = re.compile(r"<span>([^<]*\d:\d\d[^<]*)</span>")


@pytest.fixture(scope="module")
def ursula(site: LiveSite) -> StorageState:
    return sign_in(site, "ursula@example.org")


@pytest.mark.quick
@pytest.mark.parametrize("language", ["en", *later("de", "fr", "es", "ar")])
def test_dates_have_one_style(
    open_chat: Callable[..., ChatPage], ursula: StorageState, language: str
) -> None:
    chat = open_chat(storage_state=ursula, locale=language, timezone_id="UTC")
    page = chat.page
    page.locator("#message").fill(f"Water {language}")
    page.locator(".send-button").click()
    page.locator(".answer[data-state=complete]").wait_for()
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=2))
    page.reload()
    shown = page.locator(".question .turn-foot [data-part=time]")
    expect(shown).not_to_be_empty()
    html = page.request.get(page.url, headers={"Accept-Language": language}).text()
    found = SERVER_TIME.search(html)
    assert found
    assert found[1] == shown.text_content()

    page.keyboard.press("Control+k")
    day = page.locator("#palette [id^=found-] .palette-note").first.text_content()
    page.goto(f"/chat/search/?q={language}")
    assert page.locator(".found-chats .quiet").first.text_content() == day
