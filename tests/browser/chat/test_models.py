"""Choose a model by its details, and see how full its context window is."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.variants import later

SIX_TENTHS = "x" * 3 * 14_500  # of this model's 24,000 tokens that the first model reads
NINE_TENTHS = "x" * 3 * 22_000


@pytest.fixture(scope="module")
def mona(site: LiveSite) -> StorageState:
    return sign_in(site, "mona@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], mona: StorageState) -> ChatPage:
    return open_chat(storage_state=mona)


@pytest.mark.quick
def test_the_dialog_shows_the_details_of_each_model(chat: ChatPage) -> None:
    chat.page.get_by_role("button", name="About models").click()
    dialog = chat.page.get_by_role("dialog", name="Choose a model")
    scout = dialog.get_by_role("radio", name="Llama 4 Scout", exact=True)
    for fact in (
        "Images",
        "131K context",
        "$0.27 in",
        "24,545 neurons",
    ):
        expect(scout).to_have_accessible_description(re.compile(re.escape(fact)))
    scout.check()
    dialog.get_by_role("button", name="Done").click()
    expect(chat.page.get_by_label("Model", exact=True)).to_have_value(
        "@cf/meta/llama-4-scout-17b-16e-instruct"
    )
    chat.ask("Hello")
    chat.page.get_by_role("button", name="Answer details").click()
    expect(chat.page.locator("#facts-card")).to_contain_text("Llama 4 Scout")


def test_a_model_is_chosen_by_keyboard(chat: ChatPage) -> None:
    press = chat.page.keyboard.press
    chat.page.get_by_role("button", name="About models").focus()
    press("Enter")
    expect(chat.page.get_by_role("radio", name="Llama 3.3 70B")).to_be_focused()
    press("ArrowDown")
    expect(chat.page.get_by_role("radio", name="Llama 4 Scout")).to_be_checked()
    press("Enter")
    expect(chat.page.get_by_role("dialog")).to_be_hidden()
    expect(chat.page.get_by_role("button", name="About models")).to_be_focused()
    assert "scout" in chat.page.locator("#model").input_value()


def test_the_chosen_model_is_used_for_new_chats(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    chat = open_chat(storage_state=sign_in(site, "max@example.org"))
    chat.page.get_by_role("button", name="About models").click()
    chat.page.get_by_role("radio", name="Qwen3 30B").check()
    chat.page.get_by_role("button", name="Use for all new chats").click()
    expect(chat.hint).to_have_text("New chats will use Qwen3 30B.")
    chat.page.goto("/chat/")
    expect(chat.page.locator("#model")).to_have_value("@cf/qwen/qwen3-30b-a3b-fp8")
    chat.page.goto("/settings/")
    expect(chat.page.get_by_label("Default model")).to_have_value("@cf/qwen/qwen3-30b-a3b-fp8")


@pytest.mark.quick
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
    expect(warning).to_contain_text("exceeds the model's context")
    chat.page.get_by_label("Model", exact=True).select_option(label="Llama 4 Scout")
    expect(gauge).to_be_hidden()
    expect(warning).to_be_empty()


def test_the_gauge_uses_the_models_token_count(chat: ChatPage) -> None:
    chat.ask("river " * 3000)
    chat.page.get_by_role("button", name="Answer details").click()
    facts = chat.page.locator("#facts-card").inner_text()
    chat.page.keyboard.press("Escape")
    counted = number(r"Input\s+([\d,]+)", facts) + number(r"Output\s+([\d,]+)", facts)
    words = chat.page.locator("#gauge-details [data-part=count]")
    expect(words).to_contain_text("of the 24,000 tokens")
    assert number(r"about ([\d,]+)", words.text_content()) == pytest.approx(counted, rel=0.05)
    chat.page.reload()
    expect(words).to_contain_text("of the 24,000 tokens")
    assert number(r"about ([\d,]+)", words.text_content()) == pytest.approx(counted, rel=0.05)


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
def test_the_model_dialog_and_the_gauge_are_accessible(
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
    page.locator("#open-models").click()
    expect(page.locator("#models")).to_be_visible()
    assert axe(page) == []
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) <= 0


def test_models_are_chosen_by_touch(open_chat: Callable[..., ChatPage], mona: StorageState) -> None:
    chat = open_chat(storage_state=mona, **PHONE)
    chat.composer.fill(NINE_TENTHS)
    assert too_small(chat.page) == []
    chat.page.get_by_role("button", name="About models").tap()
    assert [each for each in too_small(chat.page) if 'type="radio"' not in each] == []
