"""Ratings of an answer, and the card with its details."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE

START = "/chat/"


@pytest.fixture(scope="module")
def petra(site: LiveSite) -> StorageState:
    return sign_in(site, "petra@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], petra: StorageState) -> ChatPage:
    chat = open_chat(storage_state=petra)
    chat.ask("Why do rivers bend?")
    return chat


def test_a_good_rating_is_stored_and_can_be_withdrawn(chat: ChatPage) -> None:
    good = chat.page.get_by_role("button", name="Good answer")
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    expect(chat.hint).to_contain_text("Thanks for your feedback")
    chat.page.reload()
    expect(good).to_have_attribute("aria-pressed", "true")
    good.click()
    expect(good).to_have_attribute("aria-pressed", "false")
    expect(chat.hint).to_contain_text("Feedback removed")


@pytest.mark.quick
def test_a_bad_rating_asks_for_a_reason_by_keyboard(chat: ChatPage) -> None:
    bad = chat.page.get_by_role("button", name="Bad answer")
    bad.focus()
    chat.page.keyboard.press("Enter")
    expect(bad).to_have_attribute("aria-pressed", "true")
    card = chat.page.locator("#why-card")
    expect(card.get_by_role("radio").first).to_be_focused()
    chat.page.keyboard.press("ArrowDown")
    chat.page.keyboard.press("Tab")
    chat.page.keyboard.type("Not a word on silt.")
    chat.page.keyboard.press("Tab")
    chat.page.keyboard.press("Enter")
    expect(card).to_be_hidden()
    expect(bad).to_be_focused()
    bad.click()  # takes it back
    bad.click()  # asks again
    expect(card.get_by_role("textbox")).to_have_value("")


def test_a_reason_that_could_not_be_stored_stays_in_the_card(chat: ChatPage) -> None:
    page = chat.page
    page.get_by_role("button", name="Bad answer").click()
    expect(chat.hint).to_contain_text("Thanks for your feedback")
    page.get_by_role("textbox", name="Add details (optional)").fill("Not a word on silt.")
    page.route("**/rating", lambda route: route.abort())
    page.locator("#why-card").get_by_role("button", name="Send").click()
    expect(chat.hint).to_contain_text("wasn't sent")
    expect(page.get_by_role("textbox", name="Add details (optional)")).to_have_value(
        "Not a word on silt."
    )
    page.unroute("**/rating")
    page.locator("#why-card").get_by_role("button", name="Send").click()
    expect(page.locator("#why-card")).to_be_hidden()


def test_the_card_shows_duration_tokens_and_cost(chat: ChatPage) -> None:
    chat.page.get_by_role("button", name="Answer details").click()
    card = chat.page.locator("#facts-card")
    for name in ("Model", "Input", "Output", "Neurons", "Cost", "Time to first token", "Speed"):
        expect(card.get_by_text(name, exact=True)).to_be_visible()
    expect(card).to_contain_text("$0.0")
    chat.page.keyboard.press("Escape")
    expect(card).to_be_hidden()


@pytest.mark.parametrize("colours", COLOURS)
def test_the_cards_are_accessible(
    open_chat: Callable[..., ChatPage], petra: StorageState, colours: dict[str, str]
) -> None:
    chat = open_chat(storage_state=petra, **colours, **BARE)
    chat.ask("Why do rivers bend?")
    chat.page.get_by_role("button", name="Bad answer").click()
    expect(chat.page.locator("#why-card")).to_be_visible()
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    chat.page.get_by_role("button", name="Answer details").click()
    expect(chat.page.locator("#facts-card")).to_be_visible()
    assert axe(chat.page) == []


@pytest.mark.parametrize("locale", ["en", "ar"])
@pytest.mark.parametrize("height", [640, 360])
def test_the_cards_fit_the_smallest_phone(
    open_chat: Callable[..., ChatPage], petra: StorageState, locale: str, height: int
) -> None:
    small = {"viewport": {"width": 320, "height": height}}
    page = open_chat(storage_state=petra, **PHONE | small, locale=locale).page
    page.locator("#message").fill("Why do rivers bend?")
    page.locator(".send-button").tap()
    page.locator(".answer[data-state=complete]").wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for part, card in (("thumbDown", "why"), ("about", "facts")):
        page.locator(f".answer [data-part={part}]").tap()
        box = page.locator(f"#{card}-card").bounding_box()
        assert box
        assert box["x"] >= 16 <= box["y"]
        assert box["x"] + box["width"] <= 320 - 16
        assert box["y"] + box["height"] <= height - 16
        page.keyboard.press("Escape")


def test_a_temporary_answer_has_no_rating_buttons(
    open_page: Callable[..., Page], petra: StorageState
) -> None:
    chat = ChatPage(open_page("/chat/temporary/", storage_state=petra))
    chat.ask("Hello")
    expect(chat.page.get_by_role("button", name="Good answer")).to_be_hidden()
    expect(chat.page.get_by_role("button", name="Answer details")).to_be_visible()
