"""The list of conversations: renaming and deleting by mouse, keyboard, finger, and without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.test_accessibility import BARE, axe, tab_to
from tests.browser.test_layout import PHONE, overflow, too_small
from tests.browser.variants import later

START = "/chat/"

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk and much more than that"


@pytest.fixture(scope="module")
def nora(site: LiveSite) -> StorageState:
    return sign_in(site, "nora@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], nora: StorageState) -> ChatPage:
    return open_chat(storage_state=nora)


def entry(page: Page, title: str) -> Locator:
    link = page.get_by_role("link", name=title, exact=True)
    return page.get_by_role("navigation").get_by_role("listitem").filter(has=link)


def open_menu(page: Page, title: str) -> None:
    entry(page, title).hover()
    page.get_by_role("button", name=f"Rename or delete: {title}").click()


def test_a_chat_is_renamed_in_place(chat: ChatPage) -> None:
    chat.ask("Old name.")
    open_menu(chat.page, "Old name.")
    chat.page.get_by_role("link", name="Rename").click()
    field = chat.page.get_by_label("Name of this chat")
    expect(field).to_be_focused()
    field.fill("  New   name ")
    field.press("Enter")
    link = chat.page.get_by_role("link", name="New name", exact=True)
    expect(link).to_be_focused()
    expect(link).to_have_attribute("aria-current", "page")
    expect(chat.page).to_have_title("New name – Runnel")
    chat.page.reload()
    expect(link).to_be_visible()


def test_a_rename_can_be_given_up(chat: ChatPage) -> None:
    chat.ask("Stays as it is.")
    open_menu(chat.page, "Stays as it is.")
    chat.page.get_by_role("link", name="Rename").click()
    chat.page.get_by_label("Name of this chat").fill("Never mind")
    chat.page.keyboard.press("Escape")
    expect(chat.page.get_by_role("link", name="Stays as it is.", exact=True)).to_be_focused()
    expect(chat.page.get_by_label("Name of this chat")).to_have_count(0)


def test_a_name_that_is_being_written_is_left_alone(chat: ChatPage) -> None:
    chat.send("/slow A long answer.")
    chat.wait_for_text(5)
    open_menu(chat.page, "/slow A long answer.")
    chat.page.get_by_role("link", name="Rename").click()
    field = chat.page.get_by_label("Name of this chat")
    field.fill("In the mid")
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")
    chat.page.wait_for_timeout(200)
    expect(field).to_have_value("In the mid")


def test_deleting_asks_first(chat: ChatPage) -> None:
    chat.ask("Delete me.")
    chat.page.goto("/chat/")
    open_menu(chat.page, "Delete me.")
    chat.page.get_by_role("link", name="Delete…").click()
    dialog = chat.page.get_by_role("dialog", name="Delete this chat?")
    expect(dialog).to_contain_text("Delete me. and all its questions and answers")
    dialog.get_by_role("link", name="Keep it").click()
    expect(dialog).to_be_hidden()
    expect(entry(chat.page, "Delete me.")).to_have_count(1)
    open_menu(chat.page, "Delete me.")
    chat.page.get_by_role("link", name="Delete…").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).to_be_hidden()
    expect(entry(chat.page, "Delete me.")).to_have_count(0)
    chat.page.reload()
    expect(entry(chat.page, "Delete me.")).to_have_count(0)


def test_deleting_the_open_chat_leads_to_a_new_one(chat: ChatPage) -> None:
    chat.ask("Gone in a moment.")
    address = chat.page.url
    open_menu(chat.page, "Gone in a moment.")
    chat.page.get_by_role("link", name="Delete…").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    chat.page.wait_for_url("**/chat/")
    expect(chat.page.get_by_text("Where shall we begin?")).to_be_visible()
    response = chat.page.goto(address)
    assert response
    assert response.status == 404


def test_renaming_and_deleting_take_no_mouse(chat: ChatPage) -> None:
    chat.ask("By keyboard.")
    press = chat.page.keyboard.press
    more = chat.page.get_by_role("button", name="Rename or delete: By keyboard.")
    chat.page.get_by_role("link", name="By keyboard.", exact=True).focus()
    press("Tab")
    expect(more).to_be_focused()
    press("Enter")
    press("Tab")
    expect(chat.page.get_by_role("link", name="Rename")).to_be_focused()
    press("Enter")
    expect(chat.page.get_by_label("Name of this chat")).to_be_focused()
    press("ControlOrMeta+A")
    chat.page.keyboard.type("By hand")
    press("Tab")
    press("Enter")  # Save
    expect(chat.page.get_by_role("link", name="By hand", exact=True)).to_be_focused()
    press("Tab")
    press("Enter")
    tab_to(chat.page, chat.page.get_by_role("link", name="Delete…"))
    press("Enter")
    expect(chat.page.get_by_role("link", name="Keep it")).to_be_focused()
    press("Escape")
    expect(chat.page.get_by_role("button", name="Rename or delete: By hand")).to_be_focused()
    press("Enter")
    tab_to(chat.page, chat.page.get_by_role("link", name="Delete…"))
    press("Enter")
    expect(chat.page.get_by_role("link", name="Keep it")).to_be_focused()
    press("Tab")
    press("Enter")
    chat.page.wait_for_url("**/chat/")
    expect(entry(chat.page, "By hand")).to_have_count(0)


def test_renaming_and_deleting_take_no_scripts(
    chat: ChatPage, open_page: Callable[..., Page], nora: StorageState
) -> None:
    chat.ask("Plain forms.")
    page = open_page(chat.page.url, storage_state=nora, java_script_enabled=False)
    open_menu(page, "Plain forms.")
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name of this chat").fill("Plain and renamed")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/chat/")
    open_menu(page, "Plain and renamed")
    page.get_by_role("link", name="Delete…").click()
    expect(page.get_by_role("heading", name="Delete this chat?")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/chat/")
    expect(entry(page, "Plain and renamed")).to_have_count(0)


def test_a_title_is_only_text(chat: ChatPage) -> None:
    attack = "<img src=x onerror=alert(1)>"
    chat.ask(attack)
    open_menu(chat.page, attack)
    chat.page.get_by_role("link", name="Delete…").click()
    expect(chat.page.get_by_role("dialog")).to_contain_text(attack)
    assert chat.page.locator("img").count() == 0


def test_somebody_signed_out_does_not_get_the_sign_in_page_into_the_list(chat: ChatPage) -> None:
    chat.ask("Signed in.")
    chat.page.context.clear_cookies(name="sessionid")
    open_menu(chat.page, "Signed in.")
    chat.page.get_by_role("link", name="Rename").click()
    expect(chat.hint).to_contain_text("You are signed out.")
    expect(chat.page.get_by_label("Password")).to_have_count(0)


def test_the_list_folds_away_and_stays_so(chat: ChatPage) -> None:
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


@pytest.mark.parametrize("width", [320, *later(390)])
def test_on_a_phone_the_list_is_a_drawer(
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
def test_axe_finds_nothing_around_the_list(
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
    chat.page.get_by_role("link", name="Rename").click()
    expect(chat.page.get_by_label("Name of this chat")).to_have_value(title)
    assert axe(chat.page) == []
    chat.page.keyboard.press("Escape")
    menu.click()
    chat.page.get_by_role("link", name="Delete…").click()
    expect(chat.page.get_by_role("dialog")).to_be_visible()
    assert axe(chat.page) == []
    for form in ("title", "deletion"):
        chat.page.goto(f"{chat.page.url.removesuffix('deletion/').removesuffix('title/')}{form}/")
        assert axe(chat.page) == []
    phone = open_chat(viewport={"width": 390, "height": 800}, **options)
    phone.page.get_by_role("button", name="Chats", exact=True).click()
    assert axe(phone.page) == []
