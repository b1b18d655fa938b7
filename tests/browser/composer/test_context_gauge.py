"""See how full the context window of the chosen model is."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import overflow
from tests.support.variants import later

SIX_TENTHS = "x" * 3 * 14_500  # of this model's 24,000 tokens that the first model reads
NINE_TENTHS = "x" * 3 * 22_000


@pytest.fixture(scope="module")
def mona(site: LiveSite) -> StorageState:
    return sign_in(site, "mona@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], mona: StorageState) -> ChatPage:
    return open_chat(storage_state=mona)


def test_the_gauge_appears_only_when_the_window_fills_up(chat: ChatPage) -> None:
    gauge, warning = chat.page.locator("#gauge"), chat.page.locator("#window-warning")
    chat.ask("Why do rivers bend?")
    expect(gauge).to_be_hidden()
    chat.composer.fill(SIX_TENTHS)
    expect(gauge).to_have_text("About 61% full")
    expect(warning).to_be_empty()
    chat.composer.fill(NINE_TENTHS)
    expect(gauge).to_have_text(re.compile("About 9[1-4]% full"))
    expect(warning).to_contain_text("The oldest messages will soon be left out.")
    chat.composer.fill(NINE_TENTHS * 2)
    expect(gauge).to_have_text("About 100% full")
    expect(warning).to_contain_text("Your message is too long for this model.")
    chat.choose_model("Llama 4 Scout")
    expect(gauge).to_be_hidden()
    expect(warning).to_be_empty()


def test_the_gauge_uses_the_models_token_count(chat: ChatPage) -> None:
    chat.ask("river " * 3000)
    facts = chat.read_details()
    counted = number(r"Input\s+([\d,]+)", facts) + number(r"Output\s+([\d,]+)", facts)
    words = chat.page.locator("#gauge-details [data-part=count]")
    expect(words).to_contain_text("of the 24,000 tokens")
    assert number(r"about ([\d,]+)", words.text_content()) == pytest.approx(counted, rel=0.05)
    chat.page.reload()
    expect(words).to_contain_text("of the 24,000 tokens")
    assert number(r"about ([\d,]+)", words.text_content()) == pytest.approx(counted, rel=0.05)
    chat.composer.fill(NINE_TENTHS)
    warning = chat.page.locator("#window-warning")
    expect(warning).to_contain_text("exceeds the model's context")


def number(pattern: str, text: str | None) -> int:
    found = re.search(pattern, text or "")
    assert found, text
    return int(found[1].replace(",", ""))


def test_the_gauges_details_open_by_keyboard(chat: ChatPage) -> None:
    chat.composer.fill(NINE_TENTHS)
    details = chat.page.locator("#gauge-details")
    chat.page.get_by_role("button", name=re.compile("About 9[1-4]% full")).focus()
    chat.page.keyboard.press("Enter")
    expect(details).to_be_visible()
    expect(details).to_contain_text("about 22,000 of the 24,000 tokens")
    chat.page.keyboard.press("Escape")
    expect(details).to_be_hidden()
    expect(chat.page.get_by_role("button", name=re.compile("About 9[1-4]% full"))).to_be_focused()


@pytest.mark.parametrize(
    ("theme", "language"), [("light", "de"), ("dark", "ar"), *later(("light", "en"))]
)
def test_the_gauge_is_accessible(
    open_chat: Callable[..., ChatPage], mona: StorageState, theme: str, language: str
) -> None:
    options: dict[str, Any] = {"storage_state": mona, "color_scheme": theme, "locale": language}
    chat = open_chat(**(options | BARE))
    page = chat.page
    page.locator("#message").fill(NINE_TENTHS)
    expect(page.locator("#gauge")).to_be_visible()
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) <= 0
    page.locator("#gauge").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
