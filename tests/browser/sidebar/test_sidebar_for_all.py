"""The sidebar by keyboard, by touch, without scripts, on a phone, with hostile titles."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_list import entry, open_menu, open_options, press
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe, tab_to
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.browser.toast import toast
from tests.support.variants import later

START = "/chat/"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk and much more than that"


@pytest.fixture(scope="module")
def nora(site: LiveSite) -> StorageState:
    return sign_in(site, "nina@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], nora: StorageState) -> ChatPage:
    return open_chat(storage_state=nora)


def test_renaming_and_deleting_work_by_keyboard(chat: ChatPage) -> None:
    chat.ask("By keyboard.")
    press = chat.page.keyboard.press
    more = chat.page.get_by_role("button", name="Options for By keyboard.")
    chat.page.get_by_role("link", name="By keyboard.", exact=True).focus()
    press("Tab")
    expect(more).to_be_focused()
    press("Enter")
    press("Tab")
    expect(chat.page.get_by_role("link", name="Rename", exact=True)).to_be_focused()
    press("Enter")
    expect(chat.page.get_by_label("Chat title")).to_be_focused()
    press("ControlOrMeta+A")
    chat.page.keyboard.type("By hand")
    press("Tab")
    press("Enter")  # Save
    expect(chat.page.get_by_role("link", name="By hand", exact=True)).to_be_focused()
    press("Tab")
    press("Enter")
    tab_to(chat.page, chat.page.get_by_role("button", name="Delete", exact=True))
    press("Enter")
    chat.page.wait_for_url("**/chat/?deleted=*")
    expect(chat.composer).to_be_focused()
    undo = toast(chat.page).get_by_role("button", name="Undo")
    tab_to(chat.page, undo, "Shift+Tab")
    press("Enter")
    chat.page.wait_for_url(re.compile("/chat/[0-9a-f-]{36}/"))
    chat.page.goto("/chat/")
    chat.page.get_by_role("link", name="By hand", exact=True).focus()
    press("Tab")
    press("Enter")
    tab_to(chat.page, chat.page.get_by_role("button", name="Delete", exact=True))
    press("Enter")
    expect(entry(chat.page, "By hand")).to_have_count(0)
    press("ControlOrMeta+z")
    expect(chat.page.get_by_role("link", name="By hand", exact=True)).to_be_visible()


def test_renaming_and_deleting_work_without_scripts(
    chat: ChatPage, open_page: Callable[..., Page], nora: StorageState
) -> None:
    chat.ask("Plain forms.")
    page = open_page(chat.page.url, storage_state=nora, java_script_enabled=False)
    open_options(page, "Plain forms.")
    page.get_by_role("link", name="Rename", exact=True).click()
    page.get_by_label("Chat title").fill("Plain and renamed")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/chat/")
    open_options(page, "Plain and renamed")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator("#conversations h2").first).to_have_text("Pinned")
    open_options(page, "Plain and renamed")
    page.get_by_role("button", name="Archive", exact=True).click()
    expect(entry(page, "Plain and renamed")).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").click()
    expect(page.locator("#conversations .entry > a").first).to_have_text("Plain and renamed")
    open_options(page, "Plain and renamed")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_url("**/chat/?deleted=*")
    expect(entry(page, "Plain and renamed")).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Plain forms.", exact=True)).to_be_visible()


def test_a_hostile_title_is_shown_as_text(chat: ChatPage) -> None:
    attack = "<img src=x onerror=alert(1)>"
    chat.ask(attack)
    expect(entry(chat.page, attack)).to_have_count(1)
    assert chat.page.locator("img").count() == 0


def test_when_signed_out_the_list_does_not_show_the_sign_in_page(chat: ChatPage) -> None:
    chat.ask("Signed in.")
    chat.page.context.clear_cookies(name="sessionid")
    open_menu(chat.page, "Signed in.")
    chat.page.get_by_role("link", name="Rename", exact=True).click()
    expect(chat.hint).to_contain_text("You've been signed out.")
    expect(chat.page.get_by_label("Password")).to_have_count(0)


def test_the_collapsed_state_of_the_sidebar_is_kept(chat: ChatPage) -> None:
    fold = chat.page.get_by_role("button", name="Chats")
    chats = chat.page.get_by_role("complementary")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(chats).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    chat.page.reload()
    expect(chats).to_be_hidden()
    fold.click()
    expect(chats).to_be_visible()


@pytest.mark.quick
@pytest.mark.parametrize("width", [320, *later(390)])
def test_on_a_phone_the_sidebar_is_a_drawer(
    open_chat: Callable[..., ChatPage], nora: StorageState, width: int
) -> None:
    phone = PHONE | {"viewport": {"width": width, "height": 700}}
    chat = open_chat(storage_state=nora, **phone)
    chat.composer.fill(LONG)
    chat.send_button.tap()
    chat.wait_for_end()
    assert overflow(chat.page) <= 0
    drawer = chat.page.get_by_role("complementary", name="Chats")
    button = chat.page.get_by_role("button", name="Chats", exact=True)
    expect(drawer).to_be_hidden()
    button.tap()
    expect(drawer).to_be_visible()
    expect(drawer.get_by_role("link", name="New chat")).to_be_focused()
    assert chat.composer.evaluate("element => element.closest('[inert]') !== null")
    assert overflow(chat.page) <= 0
    chat.page.wait_for_function("() => document.getAnimations().length === 0")
    assert too_small(chat.page) == []
    chat.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()
    chat.page.wait_for_function("() => !document.querySelector('#message').closest('[inert]')")
    button.tap()
    chat.page.touchscreen.tap(width - 10, 400)
    expect(drawer).to_be_hidden()


@pytest.mark.parametrize("theme", ["dark", *later("light")])
def test_the_sidebar_is_accessible(
    open_chat: Callable[..., ChatPage], nora: StorageState, theme: str
) -> None:
    options: dict[str, Any] = {"storage_state": nora, "color_scheme": theme} | BARE
    chat = open_chat(**options)
    chat.ask("/cut 12")
    title = "/cut 12"
    assert axe(chat.page) == []
    chat.page.goto(chat.page.url)  # as the server writes it
    assert axe(chat.page) == []
    menu = chat.page.locator(".entry [aria-current] + button")
    menu.click()
    assert axe(chat.page) == []
    chat.page.get_by_role("link", name="Rename", exact=True).click()
    expect(chat.page.get_by_label("Chat title")).to_have_value(title)
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    address = chat.page.url
    press(chat.page, title, "Delete")
    chat.page.wait_for_url("**/chat/?deleted=*")
    expect(toast(chat.page)).to_be_visible()
    assert axe(chat.page) == []
    chat.page.goto(address)
    assert axe(chat.page) == []
    chat.page.get_by_role("button", name="Undo").click()
    chat.page.wait_for_url(address)
    chat.page.goto(f"{address}title/")
    assert axe(chat.page) == []
    chat.page.goto(address)
    press(chat.page, title, "Archive")
    chat.page.wait_for_url("**/chat/?archived=*")
    for path in (address, "/chat/archive/"):
        chat.page.goto(path)
        assert axe(chat.page) == []
    phone = open_chat(viewport={"width": 390, "height": 800}, **options)
    phone.page.get_by_role("button", name="Chats", exact=True).click()
    assert axe(phone.page) == []
