"""The sidebar marks chats with a running or an unread answer."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.browser.chat_page import PATIENCE_MS, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

START = "/chat/"


@pytest.fixture(scope="module")
def lena(site: LiveSite, browser: Browser) -> StorageState:
    return sign_in(site, "marka@example.org")


@pytest.mark.long  # an answer at five tokens a second, to its end
def test_an_answer_in_another_chat_is_marked_running_then_unread(
    open_chat: Callable[..., ChatPage], lena: StorageState
) -> None:
    chat = open_chat(storage_state=lena, **BARE)
    chat.send("/slow Go on without me.")
    chat.wait_for_text(3)
    marks = chat.page.locator(".entry-mark:visible")
    expect(marks).to_have_count(0)  # one sees it being written
    chat.page.get_by_role("link", name="New chat").first.click()
    link = chat.page.get_by_role("link", name="/slow Go on without me.")
    expect(link).to_have_accessible_name("/slow Go on without me. (answer in progress)")
    expect(marks).to_have_count(1)
    assert axe(chat.page) == []
    expect(link).to_have_accessible_name(
        "/slow Go on without me. (new answer)", timeout=PATIENCE_MS
    )
    assert axe(chat.page) == []
    link.click()
    expect(chat.page).to_have_title("/slow Go on without me. – Runnel")
    expect(chat.page.locator(".entry-mark")).to_have_count(0)


@pytest.mark.quick
def test_an_answer_that_was_watched_is_not_unread(
    open_chat: Callable[..., ChatPage], lena: StorageState
) -> None:
    chat = open_chat(storage_state=lena)
    with chat.page.expect_response("**/read") as told:
        chat.ask("Watched to the end.")
    assert told.value.status == 204
    chat.page.get_by_role("link", name="New chat").first.click()
    link = chat.page.get_by_role("link", name="Watched to the end.")
    expect(link).to_have_accessible_name("Watched to the end.")
