"""A toast has a place of its own, and covers nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_list import press
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.layout import PHONE
from tests.support.browser.toast import toast

START = "/chat/"
#: What is at the corners and in the middle of an element, unless it is the element itself.
COVERED = """element => {
  const { left, top, right, bottom, x, y, width, height } = element.getBoundingClientRect();
  const places = [[left + 20, top + 9], [right - 20, bottom - 9], [x + width / 2, y + height / 2]];
  return places.some(([x, y]) => !element.contains(document.elementFromPoint(x, y)));
}"""


@pytest.fixture(scope="module")
def tove(site: LiveSite) -> StorageState:
    return sign_in(site, "tove@example.org")


def is_covered(page: Page, selector: str) -> bool:
    covered: bool = page.locator(selector).last.evaluate(COVERED)
    return covered


@pytest.mark.parametrize("height", [800, 500])
def test_a_toast_covers_neither_the_text_nor_the_composer(
    open_chat: Callable[..., ChatPage], tove: StorageState, height: int
) -> None:
    chat = open_chat(storage_state=tove, viewport={"width": 1280, "height": height})
    title = f"Pin this at {height}."
    chat.ask(title)
    press(chat.page, title, "Pin")
    expect(toast(chat.page)).to_contain_text("Pinned.")
    for selector in ("#composer", ".answer .turn-foot", ".account-button", ".welcome"):
        if chat.page.locator(selector).last.is_visible():
            assert not is_covered(chat.page, selector)
    chat.page.goto("/chat/")
    press(chat.page, title, "Delete")
    expect(toast(chat.page)).to_contain_text("Deleted.")
    for selector in ("#composer", ".welcome", ".account-button"):
        assert not is_covered(chat.page, selector)


def test_while_the_drawer_is_open_the_toast_is_in_it(
    open_chat: Callable[..., ChatPage], tove: StorageState
) -> None:
    chat = open_chat(storage_state=tove, **PHONE)
    chat.composer.fill("On a phone.")
    chat.send_button.tap()
    chat.wait_for_end()
    page = chat.page
    page.get_by_role("button", name="Chats", exact=True).tap()
    press(page, "On a phone.", "Pin")
    expect(toast(page)).to_be_in_viewport(ratio=1)
    assert not is_covered(page, "#toast")
    assert not is_covered(page, ".account-button")
    page.get_by_role("button", name="Close sidebar").tap()
    expect(toast(page)).to_be_in_viewport(ratio=1)
    toast(page).get_by_role("button", name="Close").tap()
    expect(toast(page)).to_be_hidden()
