"""The buttons under an answer: quiet until they are wanted, with tooltips."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE

START = "/chat/"
NAMES = [
    "Copy answer",
    "Retry",
    "Good answer",
    "Bad answer",
    "Answer details",
    "More options",
]


@pytest.fixture(scope="module")
def nils(site: LiveSite) -> StorageState:
    return sign_in(site, "nils@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], nils: StorageState) -> ChatPage:
    return open_chat(storage_state=nils)


def foot(turn: Locator) -> Locator:
    return turn.locator(".turn-foot")


def tooltip(chat: ChatPage) -> Locator:
    return chat.page.locator(".tooltip")


@pytest.mark.quick
def test_an_answer_has_few_buttons_and_the_rest_is_in_a_menu(chat: ChatPage) -> None:
    chat.ask("Why do rivers bend?")
    buttons = foot(chat.last_answer).locator("button:visible")
    assert [each.get_attribute("aria-label") for each in buttons.all()] == NAMES
    expect(foot(chat.last_answer)).not_to_contain_text("tokens")
    chat.last_answer.get_by_role("button", name="More options").click()
    menu = chat.page.locator("#turn-menu")
    for name in ("Branch into a new chat", "Report answer", "Delete this and later messages"):
        expect(menu.get_by_role("button", name=name)).to_be_visible()


def test_buttons_of_earlier_turns_wait_for_the_mouse_or_the_keyboard(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask("Two.")
    chat.page.mouse.move(5, 5)
    earlier = foot(chat.answers.first)
    expect(earlier).to_have_css("opacity", "0")
    expect(foot(chat.questions.last)).to_have_css("opacity", "0")
    expect(foot(chat.last_answer)).to_have_css("opacity", "1")
    chat.answers.first.hover()
    expect(earlier).to_have_css("opacity", "1")
    chat.page.mouse.move(5, 5)
    expect(earlier).to_have_css("opacity", "0")
    chat.answers.first.get_by_role("button", name="Copy answer").focus()
    expect(earlier).to_have_css("opacity", "1")


def test_on_a_touch_screen_the_buttons_are_always_there(
    open_chat: Callable[..., ChatPage], nils: StorageState
) -> None:
    chat = open_chat(storage_state=nils, **PHONE)
    for text in ("One.", "Two."):
        chat.composer.fill(text)
        chat.send_button.tap()
        chat.wait_for_end()
    expect(foot(chat.answers.first)).to_have_css("opacity", "1")


def test_a_tooltip_names_a_button_and_its_shortcut(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask("Two.")
    chat.last_answer.get_by_role("button", name="Copy answer").hover()
    expect(tooltip(chat)).to_have_text("Copy answerCtrlShiftC")
    chat.last_answer.get_by_role("button", name="Good answer").hover()
    expect(tooltip(chat)).to_have_text("Good answer")
    chat.answers.first.scroll_into_view_if_needed()
    chat.answers.first.get_by_role("button", name="Copy answer").hover()
    expect(tooltip(chat)).to_have_text("Copy answer")  # the shortcut copies the last one
    box = tooltip(chat).bounding_box()
    at = chat.answers.first.get_by_role("button", name="Copy answer").bounding_box()
    assert box
    assert at
    assert box["y"] >= at["y"] + at["height"]
    assert abs(box["x"] + box["width"] / 2 - at["x"] - at["width"] / 2) < 2


def test_a_tooltip_follows_the_keyboard_and_goes_on_any_key(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.composer.focus()
    chat.page.keyboard.press("Tab")
    expect(tooltip(chat)).to_have_text("Add a file or image")
    expect(tooltip(chat)).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(tooltip(chat)).to_be_hidden()
    chat.page.keyboard.press("Control+k")  # it does not stand in the way of shortcuts
    expect(chat.page.locator("#palette-field")).to_be_focused()


def test_a_tooltip_stays_while_the_page_scrolls_under_a_button_that_does_not(
    chat: ChatPage,
) -> None:
    chat.composer.press("Tab")
    expect(tooltip(chat)).to_be_visible()
    chat.composer.focus()
    expect(tooltip(chat)).to_be_hidden()
    scroll = "document.dispatchEvent(new Event('scroll'))"
    chat.page.evaluate(f"document.getElementById('attach').focus(), {scroll}")
    expect(tooltip(chat)).to_be_visible()
    chat.page.evaluate(scroll)
    expect(tooltip(chat)).to_be_visible()
    chat.page.evaluate(f"document.getElementById('attach').style.translate = '0 9px', {scroll}")
    expect(tooltip(chat)).to_be_hidden()


def test_a_tooltip_stays_inside_the_window(
    open_chat: Callable[..., ChatPage], nils: StorageState
) -> None:
    chat = open_chat(storage_state=nils, viewport={"width": 360, "height": 600}, locale="ar")
    for button in chat.page.locator(".icon-button[aria-label]:visible").all():
        button.hover()
        expect(tooltip(chat)).to_be_visible()
        expect(tooltip(chat)).to_be_in_viewport(ratio=1)
        chat.page.mouse.move(180, 590)


@pytest.mark.parametrize("colours", COLOURS)
def test_tooltips_and_menus_are_accessible(
    open_chat: Callable[..., ChatPage], nils: StorageState, colours: dict[str, str]
) -> None:
    chat = open_chat(storage_state=nils, **colours, **BARE)
    chat.ask("One.")
    chat.ask("Two.")
    chat.last_answer.get_by_role("button", name="Copy answer").hover()
    expect(tooltip(chat)).to_be_visible()
    assert axe(chat.page) == []
    chat.last_answer.get_by_role("button", name="Retry").click()
    assert axe(chat.page) == []
