"""The sidebar's top and end stay where they are, and the history scrolls between them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_list import open_menu
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE

START = "/chat/"
MAKE = """
from chat.accounts.models import User
from chat.conversations.models import Conversation
owner = User.objects.get(email="sven@example.org")
Conversation.objects.bulk_create(Conversation(owner=owner, title=f"chat {n}") for n in range(60))
"""


@pytest.fixture(scope="module")
def sven(site: LiveSite) -> StorageState:
    state = sign_in(site, "sven@example.org")
    site.run(MAKE)
    return state


def open_drawer(page: Page) -> None:
    page.get_by_role("button", name="Chats", exact=True).click()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_only_the_history_scrolls(
    open_chat: Callable[..., ChatPage], sven: StorageState, options: dict[str, object]
) -> None:
    page = open_chat(storage_state=sven, **options).page
    if options:
        open_drawer(page)
    page.locator("#conversations .entry").last.scroll_into_view_if_needed()
    assert page.locator(".sidebar-history").evaluate("element => element.scrollTop") > 100
    aside = page.locator("#sidebar")
    for name in ("New chat", "Personas"):
        expect(aside.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    for name in ("Search", "Account"):
        expect(aside.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


@pytest.mark.quick
def test_the_account_menu_is_short(open_chat: Callable[..., ChatPage], sven: StorageState) -> None:
    page = open_chat(storage_state=sven).page
    page.get_by_role("button", name="Account sven@example.org").click()
    menu = page.locator("#account-menu")
    expect(menu).to_be_in_viewport(ratio=1)
    assert menu.locator("a, button").all_inner_texts() == [
        "Settings",
        "Keyboard shortcuts",
        "Sign out",
    ]
    menu.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_on_a_phone_the_shortcuts_close_the_drawer(
    open_chat: Callable[..., ChatPage], sven: StorageState
) -> None:
    page = open_chat(storage_state=sven, **PHONE).page
    open_drawer(page)
    page.get_by_role("button", name="Account").tap()
    page.get_by_role("button", name="Keyboard shortcuts").tap()
    expect(page.locator("#sidebar")).to_be_hidden()
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_renaming_selects_the_old_name(
    open_chat: Callable[..., ChatPage], sven: StorageState
) -> None:
    page = open_chat(storage_state=sven).page
    open_menu(page, "chat 59")
    page.get_by_role("link", name="Rename", exact=True).click()
    expect(page.get_by_label("Chat title")).to_be_focused()
    page.wait_for_function("() => getSelection().toString() === 'chat 59'")


def test_the_header_leads_to_a_temporary_chat_and_back(
    open_chat: Callable[..., ChatPage], sven: StorageState
) -> None:
    chat = open_chat(storage_state=sven)
    chat.page.get_by_role("link", name="Temporary chat").click()
    chat.page.wait_for_url("**/chat/temporary/")
    back = chat.page.get_by_role("link", name="Leave the temporary chat")
    expect(back).to_be_visible()
    ChatPage(chat.page).ask("Hello")
    expect(back).to_be_hidden()
    expect(chat.page.locator("#chat-head")).to_contain_text("Temporary chat")


@pytest.mark.parametrize("colours", COLOURS)
def test_the_account_menu_is_accessible(
    open_chat: Callable[..., ChatPage], sven: StorageState, colours: dict[str, str]
) -> None:
    page = open_chat(storage_state=sven, **colours, **BARE).page
    page.get_by_role("button", name="Account").click()
    assert axe(page) == []
