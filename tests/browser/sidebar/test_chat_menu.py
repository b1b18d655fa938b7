"""All chats in the sidebar share one menu."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_list import entry, open_menu, open_options, press
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite

START = "/chat/"


@pytest.fixture(scope="module")
def mila(site: LiveSite) -> StorageState:
    return sign_in(site, "mila@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], mila: StorageState) -> ChatPage:
    return open_chat(storage_state=mila)


@pytest.mark.quick
def test_the_menu_acts_on_the_chat_whose_button_was_pressed(chat: ChatPage) -> None:
    for title in ("First of two.", "Second of two."):
        chat.page.goto("/chat/")
        chat.ask(title)
    page = chat.page
    menus = page.locator("#chat-menu")
    expect(menus).to_have_count(1)
    for title in ("First of two.", "Second of two."):
        open_menu(page, title)
        more = entry(page, title).get_by_role("button")
        expect(more).to_have_attribute("aria-expanded", "true")
        expect(page.get_by_role("group", name=f"Options for {title}")).to_be_visible()
        address = entry(page, title).get_by_role("link").get_attribute("href")
        export = page.get_by_role("link", name="Print or export")
        expect(export).to_have_attribute("href", f"{address}print/")
        at, menu = more.bounding_box(), menus.bounding_box()
        assert at
        assert menu
        assert abs(menu["y"] - (at["y"] + at["height"])) < 8  # it stands below its button
    more.click()  # closes it again
    expect(menus).to_be_hidden()
    expect(more).to_have_attribute("aria-expanded", "false")
    press(page, "First of two.", "Archive")
    expect(entry(page, "First of two.")).to_have_count(0)
    expect(entry(page, "Second of two.")).to_have_count(1)


def test_without_scripts_a_chat_has_a_page_of_options(
    chat: ChatPage, open_page: Callable[..., Page], mila: StorageState
) -> None:
    chat.ask("By links alone.")
    page = open_page(chat.page.url, storage_state=mila, java_script_enabled=False)
    open_options(page, "By links alone.")
    expect(page.get_by_role("heading", level=1)).to_have_text("By links alone.")
    expect(page.get_by_role("button", name="Unpin")).to_have_count(0)
    page.get_by_role("button", name="Pin").click()
    open_options(page, "By links alone.")
    expect(page.get_by_role("button", name="Pin", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
