"""Turns that are deleted, branched off, quoted or read without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE
from tests.support.browser.turn_editing import arrows, edit, editor

START = "/chat/"
EDGE = 8  # px


@pytest.fixture(scope="module")
def ines(site: LiveSite, browser: Browser) -> StorageState:
    return sign_in(site, "ida@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], ines: StorageState) -> ChatPage:
    return open_chat(storage_state=ines)


def choose_more(chat: ChatPage, number: int, name: str) -> None:
    chat.answers.nth(number).get_by_role("button", name="More options").click()
    chat.page.locator("#turn-menu").get_by_role("button", name=name).click()


def test_menus_keep_off_the_edges_of_a_phone(
    open_chat: Callable[..., ChatPage], ines: StorageState
) -> None:
    chat = open_chat(storage_state=ines, **PHONE)
    chat.composer.fill("Hello.")
    chat.send_button.click()
    chat.wait_for_end()
    chat.answers.first.get_by_role("button", name="More options").click()
    box = chat.page.locator("#turn-menu").bounding_box()
    assert box
    assert box["x"] >= EDGE
    assert box["x"] + box["width"] <= PHONE["viewport"]["width"] - EDGE


def test_a_turn_is_deleted_and_restored(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask("Two.")
    chat.ask("Three.")
    choose_more(chat, 1, "Delete this and later messages")
    expect(chat.questions).to_have_count(1)
    undo = chat.page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chat.questions).to_have_count(3)
    expect(undo).to_be_hidden()
    choose_more(chat, 0, "Delete this and later messages")
    expect(chat.questions).to_have_count(0)
    chat.page.reload()
    expect(chat.questions).to_have_count(0)
    chat.ask("Anew.")
    chat.page.reload()
    expect(chat.questions).to_have_count(1)


def test_a_chat_is_branched_into_a_new_one(chat: ChatPage) -> None:
    chat.ask("Why do rivers bend, by the way?")
    chat.ask("And then?")
    address = chat.page.url
    choose_more(chat, 0, "Branch into a new chat")
    chat.page.wait_for_url(lambda url: url != address)
    expect(chat.questions).to_have_count(1)
    expect(chat.page).to_have_title("Why do rivers bend, by the way? (2) – Runnel")
    chat.answers.first.get_by_role("button", name="Answer details").click()
    expect(chat.page.locator("#facts-card")).to_contain_text("Llama")


def test_a_temporary_chat_continues_from_an_edited_question(
    open_chat: Callable[..., ChatPage], ines: StorageState
) -> None:
    chat = open_chat(storage_state=ines)
    chat.page.goto("/chat/temporary/")
    chat = ChatPage(chat.page)
    chat.ask("One.")
    chat.ask("Two.")
    edit(chat, 0, "Uno.")
    editor(chat).press("Enter")
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()
    expect(chat.questions.first.locator(".message-text")).to_have_text("Uno.")
    chat.ask("Due.")
    chat.retry(0)
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.page.get_by_role("button", name="Delete this and later messages")).to_have_count(0)


def test_version_arrows_are_links_without_scripts(
    chat: ChatPage, open_page: Callable[..., Page], ines: StorageState
) -> None:
    chat.ask("One.")
    edit(chat, 0, "Two.")
    editor(chat).press("Enter")
    chat.wait_for_end()
    page = open_page(chat.page.url, storage_state=ines, java_script_enabled=False)
    expect(page.locator(".question .message-text")).to_have_text("Two.")
    page.get_by_role("link", name="Previous version").click()
    expect(page.locator(".question .message-text")).to_have_text("One.")
    page.get_by_role("textbox", name="Message").fill("And then?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".question .message-text").first).to_have_text("One.")
    expect(page.locator(".question")).to_have_count(2)


def select_words(chat: ChatPage) -> str:
    """Select the first words of the last answer."""
    selected: str = chat.last_text.evaluate(
        """words => {
          getSelection().selectAllChildren(words.firstElementChild);
          return getSelection().toString().trim();
        }"""
    )
    return selected


def test_a_selection_in_an_answer_is_quoted(chat: ChatPage) -> None:
    chat.ask("/long 100")
    chat.composer.fill("You said")
    words = select_words(chat)
    chat.page.get_by_role("button", name="Quote", exact=True).click()
    expect(chat.composer).to_be_focused()
    expect(chat.composer).to_have_value(f"You said\n> {words}\n\n")
    expect(chat.page.get_by_role("button", name="Quote", exact=True)).to_be_hidden()
    chat.composer.fill("")
    select_words(chat)
    chat.page.keyboard.press("Control+Shift+E")
    expect(chat.composer).to_have_value(f"> {words}\n\n")
    chat.page.keyboard.press("Control+Shift+E")
    expect(chat.hint).to_contain_text("Select text")


def test_everything_fits_a_small_dark_phone_and_is_accessible(
    open_chat: Callable[..., ChatPage], ines: StorageState
) -> None:
    phone = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
    chat = open_chat(storage_state=ines, color_scheme="dark", **phone, **BARE)
    chat.composer.fill("One.")
    chat.send_button.tap()
    chat.wait_for_end()
    edit(chat, 0, "Two.")
    assert axe(chat.page) == []
    chat.page.get_by_role("button", name="Save and send").tap()
    chat.wait_for_end()
    chat.answers.first.get_by_role("button", name="More options").tap()
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    sizes = chat.page.locator(".turn-foot button:visible").evaluate_all(
        "buttons => buttons.map(each => Math.min(each.offsetWidth, each.offsetHeight))"
    )
    assert len(sizes) > 8
    assert min(sizes) >= 44
    assert chat.page.evaluate("document.documentElement.scrollWidth") == 320
    arrows(chat.questions.first)[0].tap()
    expect(chat.questions.first.locator(".message-text")).to_have_text("One.")
