"""Changes on one device appear on the other without a reload."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

START = "/chat/"


@pytest.fixture(scope="module")
def tess(site: LiveSite, browser: Browser) -> StorageState:
    return sign_in(site, "tess@example.org")


def test_a_second_device_shows_new_turns_titles_and_deletions(
    open_chat: Callable[..., ChatPage], tess: StorageState
) -> None:
    laptop = open_chat(storage_state=tess)
    with laptop.page.expect_websocket():
        laptop.page.reload()
    laptop = ChatPage(laptop.page)
    laptop.ask("Why do rivers bend?")
    address = laptop.page.url
    phone = open_chat(storage_state=tess)
    with phone.page.expect_websocket():
        phone.page.goto(address)
    phone = ChatPage(phone.page)
    expect(phone.questions).to_have_count(1)
    laptop.send(UNTIL_STOPPED)
    expect(phone.questions).to_have_count(2)
    expect(phone.stop_button).to_be_visible()
    phone.press_stop()
    expect(laptop.outcome).to_contain_text("Stopped")
    told = phone.ask("Tell me more")
    expect(laptop.questions).to_have_count(3)
    assert laptop.wait_for_end() == told
