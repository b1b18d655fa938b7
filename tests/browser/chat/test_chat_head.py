"""The header of a chat: its title, project and persona, and what can be done with it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_list import entry, press
from tests.browser.chat_page import COMPOSED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import PHONE, overflow

START = "/chat/"


@pytest.fixture(scope="module")
def hedda(site: LiveSite) -> StorageState:
    return sign_in(site, "hedda@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], hedda: StorageState) -> ChatPage:
    return open_chat(storage_state=hedda)


def options(page: Page) -> None:
    page.get_by_role("button", name="Chat options").click()


@pytest.mark.quick
def test_a_new_chat_gets_a_title_which_is_edited_in_place(chat: ChatPage) -> None:
    page = chat.page
    expect(page.locator("#chat-head")).to_be_hidden()
    expect(page.get_by_role("button", name="Chat options")).to_be_hidden()
    chat.ask("Rivers and lakes.")
    title = page.get_by_role("button", name="Rename Rivers and lakes.")
    title.click()
    field = page.locator("#chat-head").get_by_label("Title of this chat")
    expect(field).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "Rivers and lakes."
    page.keyboard.type("  Water   in motion ")
    field.dispatch_event("keydown", COMPOSED)
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    renamed = page.get_by_role("button", name="Rename Water in motion")
    expect(renamed).to_be_focused()
    expect(page).to_have_title("Water in motion – Runnel")
    expect(page.get_by_role("heading", level=1)).to_have_text("Water in motion")
    expect(entry(page, "Water in motion")).to_have_count(1)
    page.reload()
    expect(renamed).to_be_visible()


def test_a_title_stays_on_escape_and_if_it_is_emptied(chat: ChatPage) -> None:
    chat.ask("Stays.")
    title = chat.page.get_by_role("button", name="Rename Stays.")
    for key in ("Escape", "Enter"):
        title.click()
        chat.page.keyboard.type("Other" if key == "Escape" else " ")
        chat.page.keyboard.press(key)
        expect(title).to_be_focused()
    chat.page.reload()
    expect(title).to_be_visible()


def test_a_title_that_cannot_be_stored_is_not_shown(chat: ChatPage) -> None:
    chat.ask("Kept.")
    chat.page.route("**/title/", lambda route: route.abort())
    title = chat.page.get_by_role("button", name="Rename Kept.")
    title.click()
    chat.page.keyboard.type("Lost")
    chat.page.keyboard.press("Enter")
    expect(chat.hint).to_contain_text("Couldn't save this.")
    expect(title).to_be_visible()


def test_the_menu_of_the_header_acts_on_the_open_chat(chat: ChatPage) -> None:
    chat.ask("An older one.")
    chat.page.goto("/chat/")
    chat.ask("The open one.")
    page = chat.page
    press(page, "An older one.", "Pin")
    options(page)
    menu = page.get_by_role("group", name="Options for The open one.")
    expect(menu.get_by_role("button", name="Unpin")).to_be_hidden()
    menu.get_by_role("link", name="Rename").click()
    expect(page.locator("#chat-head").get_by_label("Title of this chat")).to_be_focused()
    page.keyboard.press("Escape")
    options(page)
    menu.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/chat/?deleted=*")
    expect(entry(page, "The open one.")).to_have_count(0)
    expect(entry(page, "An older one.")).to_have_count(1)


def test_a_chat_that_the_sidebar_does_not_list_is_deleted_too(chat: ChatPage) -> None:
    chat.ask("Put away.")
    address = chat.page.url
    press(chat.page, "Put away.", "Archive")
    chat.page.wait_for_url("**/chat/?archived=*")
    chat.page.goto(address)
    chat.page.locator("#message[enterkeyhint]").wait_for()
    options(chat.page)
    chat.page.locator("#chat-menu").get_by_role("button", name="Delete").click()
    chat.page.wait_for_url("**/chat/?deleted=*")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_chat_is_shared_from_its_header(
    open_chat: Callable[..., ChatPage], hedda: StorageState, options: dict[str, object]
) -> None:
    chat = open_chat(storage_state=hedda, **options)
    chat.composer.fill("Shared.")
    chat.send_button.click()
    chat.wait_for_end()
    share = chat.page.get_by_role("link", name="Share", exact=True)
    if options:
        expect(share).to_be_hidden()
        chat.page.get_by_role("button", name="Chat options").click()
        share = chat.page.locator("#chat-menu").get_by_text("Share…")
    share.click()
    expect(chat.page.get_by_role("dialog")).to_be_visible()


def test_without_scripts_the_menu_works(
    chat: ChatPage, open_page: Callable[..., Page], hedda: StorageState
) -> None:
    chat.ask("By hand.")
    page = open_page(chat.page.url, storage_state=hedda, java_script_enabled=False)
    options(page)
    page.locator("#chat-menu").get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("heading", name="Pinned")).to_be_visible()


def test_without_scripts_the_title_is_beside_the_list_of_chats(
    chat: ChatPage, open_page: Callable[..., Page], hedda: StorageState
) -> None:
    chat.ask("Beside the list.")
    page = open_page(chat.page.url, storage_state=hedda, java_script_enabled=False)
    title = page.locator("#chat-head [data-part=name]").bounding_box()
    sidebar = page.locator(".sidebar").bounding_box()
    assert title
    assert sidebar
    assert title["x"] >= sidebar["x"] + sidebar["width"]


def test_the_emulator_is_mentioned_to_members_on_their_first_page_only(
    site: LiveSite, open_page: Callable[..., Page]
) -> None:
    page = open_page("/chat/", storage_state=sign_in(site, "newcomer@example.org"))
    badge = page.get_by_role("button", name="Emulator")
    expect(badge).to_be_visible()
    ChatPage(page).ask("Hello")
    expect(badge).to_be_hidden()
    page.goto("/chat/")
    expect(badge).to_have_count(0)


def test_the_emulator_is_always_mentioned_to_the_staff(
    open_chat: Callable[..., ChatPage], administrator: StorageState
) -> None:
    chat = open_chat(storage_state=administrator)
    chat.ask("Hello")
    expect(chat.page.get_by_role("button", name="Emulator")).to_be_visible()


@pytest.mark.parametrize("colours", COLOURS)
def test_the_header_is_accessible(
    open_chat: Callable[..., ChatPage], hedda: StorageState, colours: dict[str, str]
) -> None:
    chat = open_chat(storage_state=hedda, **colours, **BARE)
    chat.ask("W" * 80)
    chat.page.set_viewport_size({"width": 320, "height": 700})
    assert overflow(chat.page) <= 0
    options(chat.page)
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    chat.page.locator(".chat-head-rename").click()
    assert axe(chat.page) == []
