"""What a click opens says at once that it is loading, and what to do if that fails."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.held_requests import held

START = "/chat/"
SHARING, SEARCH = "**/chat/*/sharing/", "**/search/?*"


@pytest.fixture(scope="module")
def sloane(site: LiveSite) -> StorageState:
    return sign_in(site, "sloane@example.org")


def first(page: Page, routes: list[Route]) -> Route:
    while not routes:
        page.wait_for_timeout(20)
    return routes.pop(0)


def test_share_says_that_it_is_loading_and_offers_another_try(
    open_chat: Callable[..., ChatPage], sloane: StorageState
) -> None:
    chat = open_chat(storage_state=sloane, **BARE)
    page = chat.page
    chat.ask("/echo Otters")
    routes = held(page, SHARING)
    page.get_by_role("link", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share chat")
    expect(dialog.get_by_role("status")).to_have_text("Loading…")
    expect(dialog.locator("[aria-busy=true]")).to_have_count(1)
    first(page, routes).abort()
    expect(dialog.get_by_role("alert")).to_contain_text("Couldn't load this.")
    expect(dialog.locator("[aria-busy=true]")).to_have_count(0)
    assert axe(page) == []
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog.get_by_role("status")).to_be_visible()
    first(page, routes).continue_()
    expect(dialog.get_by_role("button", name="Create link")).to_be_visible()


def test_a_share_dialog_that_was_closed_while_it_loaded_stays_closed(
    open_chat: Callable[..., ChatPage], sloane: StorageState
) -> None:
    chat = open_chat(storage_state=sloane, watched=False)
    page = chat.page
    chat.ask("/echo Otters")
    routes = held(page, SHARING)
    page.get_by_role("link", name="Share", exact=True).click()
    route = first(page, routes)
    with page.expect_event("requestfailed"):
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    route.abort()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Share", exact=True).click()
    first(page, routes).continue_()
    expect(page.get_by_role("button", name="Create link")).to_be_visible()


def test_the_palette_says_that_it_is_searching_and_offers_another_try(
    open_chat: Callable[..., ChatPage], sloane: StorageState
) -> None:
    chat = open_chat(storage_state=sloane, watched=False)
    page = chat.page
    routes = held(page, SEARCH)
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search chats and commands")
    busy = palette.locator("[aria-busy=true]")
    expect(busy).to_have_count(1)
    expect(palette.get_by_text("Loading…")).to_be_visible()
    first(page, routes).abort()
    expect(palette.get_by_role("status")).to_contain_text("wasn't sent")
    expect(busy).to_have_count(0)
    palette.get_by_role("button", name="Try again").click()
    expect(busy).to_have_count(1)
    expect(page.get_by_role("combobox")).to_be_focused()
    first(page, routes).continue_()
    expect(busy).to_have_count(0)
    expect(palette.get_by_role("button", name="Try again")).to_be_hidden()
