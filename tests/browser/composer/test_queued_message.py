"""While an answer is being written, the next message can wait for its end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE, overflow

START = "/chat/"


@pytest.fixture(scope="module")
def quinn(site: LiveSite) -> StorageState:
    return sign_in(site, "quinn@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], quinn: StorageState) -> ChatPage:
    return open_chat(storage_state=quinn)


def queued(chat: ChatPage) -> Locator:
    return chat.page.locator("#queued")


def write(chat: ChatPage, text: str) -> None:
    chat.composer.fill(text)
    chat.composer.press("Enter")


@pytest.mark.quick
def test_the_next_message_is_sent_after_the_answer(chat: ChatPage) -> None:
    chat.send("/long 1000 100")
    chat.wait_for_text()
    write(chat, "And then?")
    expect(queued(chat)).to_contain_text("And then?")
    expect(chat.composer).to_have_value("")
    expect(chat.announcement).to_contain_text("Queued.")
    expect(chat.questions).to_have_count(1)
    chat.composer.fill("Still thinking")
    expect(chat.questions).to_have_count(2)
    expect(queued(chat)).to_be_hidden()
    chat.wait_for_end()
    expect(chat.composer).to_have_value("Still thinking")
    chat.page.reload()
    expect(chat.questions.locator("> .message-text")).to_have_text(["/long 1000 100", "And then?"])
    expect(chat.composer).to_have_value("Still thinking")


def test_a_second_message_joins_the_first(chat: ChatPage) -> None:
    chat.start_answer()
    write(chat, "One more thing.")
    write(chat, "And another.")
    queued(chat).get_by_role("button", name="Edit next message").click()
    expect(chat.composer).to_have_value("One more thing.\n\nAnd another.")
    expect(chat.composer).to_be_focused()
    chat.press_stop()


def test_after_a_stop_the_message_is_back_in_the_box(chat: ChatPage) -> None:
    chat.start_answer()
    write(chat, "And then?")
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")
    expect(chat.composer).to_have_value("And then?")
    expect(queued(chat)).to_be_hidden()


def test_a_queued_message_survives_a_reload(chat: ChatPage) -> None:
    chat.start_answer()
    write(chat, "And then?")
    chat.page.reload()
    expect(chat.composer).to_have_value("And then?")
    chat.press_stop()


def test_a_message_is_queued_with_a_button_on_a_phone(
    open_chat: Callable[..., ChatPage], quinn: StorageState
) -> None:
    chat = open_chat(storage_state=quinn, **PHONE)
    queue = chat.page.get_by_role("button", name="Send after this answer")
    chat.composer.fill(UNTIL_STOPPED)
    expect(queue).to_be_hidden()
    chat.send_button.tap()
    chat.wait_for_text()
    expect(queue).to_be_hidden()
    chat.composer.fill("And then?")
    queue.tap()
    expect(queued(chat)).to_contain_text("And then?")
    expect(queue).to_be_hidden()
    chat.press_stop()


def test_a_hint_goes_with_its_cause(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.start_answer()
    chat.retry(0)
    expect(chat.hint).to_contain_text("Another answer is in progress.")
    chat.press_stop()
    expect(chat.hint).to_be_empty()


@pytest.mark.parametrize("colours", COLOURS)
def test_the_queue_is_accessible_and_fits(
    open_chat: Callable[..., ChatPage], quinn: StorageState, colours: dict[str, str]
) -> None:
    chat = open_chat(storage_state=quinn, **colours, **BARE)
    chat.start_answer()
    write(chat, "W" * 300)
    chat.composer.fill("More")
    chat.page.set_viewport_size({"width": 320, "height": 700})
    assert overflow(chat.page) <= 0
    assert axe(chat.page) == []
