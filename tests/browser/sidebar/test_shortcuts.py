"""Keyboard shortcuts do what their list says, and leave other keys alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

START = "/chat/"


@pytest.fixture(scope="module")
def shona(site: LiveSite) -> StorageState:
    return sign_in(site, "shona@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], shona: StorageState) -> ChatPage:
    return open_chat(storage_state=shona)


def test_every_shortcut_does_what_the_dialog_says(chat: ChatPage) -> None:
    page, press = chat.page, chat.page.keyboard.press
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = chat.ask("/markdown")
    press("Control+Shift+C")
    expect(chat.hint).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert len(copied) > len(text) / 2
    press("Control+Shift+;")
    page.wait_for_function(
        "before => navigator.clipboard.readText().then((now) => now !== before)", arg=copied
    )
    assert page.evaluate("navigator.clipboard.readText()") in copied

    press("Control+Shift+S")
    expect(page.get_by_role("complementary", name="Chats")).to_be_hidden()
    press("Control+Shift+S")
    expect(page.get_by_role("complementary", name="Chats")).to_be_visible()

    page.get_by_role("button", name="Account").focus()
    press("Shift+Escape")
    expect(chat.composer).to_be_focused()

    chat.start_answer()
    press("Escape")
    expect(chat.outcome).to_contain_text("Stopped.")

    press("Control+/")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(shortcuts.locator("dl > div")).to_have_count(10)
    press("Escape")
    expect(shortcuts).to_be_hidden()
    press("Control+Shift+O")
    page.wait_for_url("**/chat/")


def test_a_question_mark_can_be_typed(chat: ChatPage) -> None:
    shortcuts = chat.page.get_by_role("dialog", name="Keyboard shortcuts")
    chat.composer.press("?")
    expect(chat.composer).to_have_value("?")
    expect(shortcuts).to_be_hidden()
    chat.page.locator("#main").focus()
    chat.page.keyboard.press("?")
    expect(shortcuts).to_be_visible()


def test_other_keys_keep_their_meaning(chat: ChatPage) -> None:
    chat.start_answer()
    chat.page.get_by_role("button", name="Account").click()
    chat.page.keyboard.press("Escape")  # closes the menu
    expect(chat.page.locator("#account-menu")).to_be_hidden()
    expect(chat.stop_button).to_be_visible()
    composing = {"key": "Escape", "isComposing": True, "bubbles": True}
    chat.composer.dispatch_event("keydown", composing)
    composing = {"key": "k", "ctrlKey": True, "isComposing": True, "bubbles": True}
    chat.composer.dispatch_event("keydown", composing)
    expect(chat.stop_button).to_be_visible()
    expect(chat.page.locator("#palette")).to_be_hidden()
    chat.page.keyboard.press("Escape")
    expect(chat.stop_button).to_have_count(0)
