"""Modules loaded on demand: a click that comes too early still counts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.held_requests import held

START = "/chat/"
HTMX = "**/htmx-2*.js*"
MARKDOWN = "**/markdown.*.js*"


@pytest.fixture(scope="module")
def oda(site: LiveSite) -> StorageState:
    return sign_in(site, "oda@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], oda: StorageState) -> ChatPage:
    return open_chat(storage_state=oda)


def release(page: Page, routes: list[Route]) -> None:
    while not routes:
        page.wait_for_timeout(20)
    for route in routes:
        route.continue_()


@pytest.mark.quick
@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_click_before_htmx_is_loaded_counts(
    open_chat: Callable[..., ChatPage], administrator: StorageState, way: str
) -> None:
    chat = open_chat(storage_state=administrator)
    routes = held(chat.page, HTMX)
    badge = chat.page.get_by_role("button", name="Emulator")
    if way == "mouse":
        badge.dblclick()
    else:
        badge.press("Enter")
    release(chat.page, routes)
    assert len(routes) == 1
    dialog = chat.page.get_by_role("dialog", name="No model is connected yet")
    expect(dialog).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(badge).to_be_focused()
    badge.press("Enter")
    expect(dialog).to_be_visible()


def test_without_htmx_a_link_opens_its_page_and_a_button_shows_a_message(
    open_chat: Callable[..., ChatPage], administrator: StorageState
) -> None:
    chat = open_chat(storage_state=administrator)
    chat.ask("Keep this.")
    chat.page.route(HTMX, lambda route: route.abort())
    chat.page.reload()
    chat = ChatPage(chat.page)
    chat.page.get_by_role("button", name="Emulator").click()
    expect(chat.hint).to_contain_text("Couldn't load this.")
    entry = chat.page.locator(".entry", has_text="Keep this.").first
    entry.get_by_role("button").click()
    chat.page.locator("#chat-menu").get_by_role("link", name="Rename").click()
    chat.page.wait_for_url("**/title/")
    expect(chat.page.get_by_label("Chat title")).to_have_value("Keep this.")


def test_the_form_for_a_report_is_fetched_again_after_a_failure(chat: ChatPage) -> None:
    chat.ask("Where do rivers begin?")
    chat.page.route("**/chat/report/", lambda route: route.abort(), times=1)
    report = chat.page.locator("#turn-menu").get_by_role("button", name="Report answer")
    form = chat.page.get_by_role("dialog", name="Report")
    for _attempt in range(2):
        expect(form).to_be_hidden()
        chat.page.get_by_role("button", name="More options").click()
        report.click()
        expect(chat.hint.filter(has_text="Couldn't load this.").or_(form).first).to_be_visible()
    expect(form.get_by_label("Harmful or dangerous")).to_be_focused()


def test_an_answer_is_readable_until_its_formatting_is_loaded(chat: ChatPage) -> None:
    routes = held(chat.page, MARKDOWN)
    chat.send("/long 60")
    source = chat.last_answer.locator("> .message-text:not(.formatted)")
    expect(source).to_contain_text("#")
    expect(chat.stop_button).to_have_count(0)
    expect(source).to_be_visible()
    release(chat.page, routes)
    expect(chat.last_text.locator("> *").first).to_be_visible()
    expect(source).to_have_count(0)


def test_an_answer_whose_formatting_fails_to_load_stays_readable(chat: ChatPage) -> None:
    chat.page.route(MARKDOWN, lambda route: route.abort())
    chat.send("/long 60")
    expect(chat.stop_button).to_have_count(0)
    expect(chat.last_answer.locator("> .message-text:not(.formatted)")).to_contain_text("#")
    chat.page.unroute(MARKDOWN)
    chat.ask("Another.")
    expect(chat.last_text).to_be_visible()
