"""A notice says that an answer in the background is ready: if wanted and allowed, without text."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.account.answer_notices_page import (
    CLICK,
    PERMISSION,
    choose,
    hide,
    registrations,
    shown,
    turn_on,
    wait_for_notice,
)
from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe

SCOPE = "/chat/notices/"
NONE_LEFT = "navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)"

pytestmark = pytest.mark.long


@pytest.fixture
def nora(site: LiveSite, request: pytest.FixtureRequest) -> StorageState:
    """Create a member for this test, because settings outlive it."""
    return sign_in(site, f"nora-{abs(hash(request.node.name))}@example.org")


@pytest.fixture
def open_noticed(open_page: Callable[..., Page], nora: StorageState) -> Callable[..., Page]:
    def open_noticed(path: str, permission: str = "granted", **options: Any) -> Page:
        page = open_page("/healthz", storage_state=nora, **options)
        page.context.add_init_script(PERMISSION % permission)
        page.goto(path)
        return page

    return open_noticed


def test_permission_is_asked_only_after_a_choice(open_noticed: Callable[..., Page]) -> None:
    page = open_noticed("/settings/", "default", **BARE)
    assert page.evaluate("window.asked") == 0
    page.evaluate("window.willAnswer = 'default'")
    choose(page, "With the chat's title")
    assert page.evaluate("window.asked") == 1
    button = page.get_by_role("button", name="Allow notifications")
    expect(button).to_be_visible()
    assert axe(page) == []
    page.evaluate("window.willAnswer = 'denied'")
    button.click()
    expect(page.locator("#notice-permission")).to_contain_text("This browser blocks")
    assert registrations(page) == []
    choose(page, "Off")
    expect(page.locator("#notice-permission")).to_be_hidden()


@pytest.mark.parametrize("choice", ["With the chat's title", "Without the title"])
def test_a_notice_says_only_what_was_chosen(open_noticed: Callable[..., Page], choice: str) -> None:
    page = open_noticed("/settings/")
    worker = turn_on(page, choice)
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask("River notes")  # the emulator's chats are named for their first words
    assert shown(worker) == []  # it was watched
    name = page.locator("#chat-head [data-part=name]")
    expect(name).not_to_have_text("Untitled")
    hide(page)
    chat.ask("/long 60")
    notice = wait_for_notice(page, worker)
    title = name.text_content() if choice == "With the chat's title" else ""
    assert (notice["heading"], notice["body"]) == ("Your answer is ready", title)
    assert notice["data"]["path"] in page.url
    assert len({each["tag"] for each in shown(worker)}) == 1


def test_nothing_is_installed_or_shown_without_being_asked_for(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/chat/")
    chat = ChatPage(page)
    hide(page)
    chat.ask("River notes")
    assert registrations(page) == []


def test_a_tab_that_reads_no_stream_any_more_hears_of_the_end(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/settings/")
    worker = turn_on(page, "Without the title")
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask("Hello")
    chat.send("/slow Take your time with this.")
    chat.wait_for_text(3)
    hide(page, told=True)
    notice = wait_for_notice(page, worker)
    assert (notice["heading"], notice["body"]) == ("Your answer is ready", "")


def test_an_answer_that_the_user_stopped_is_not_announced(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/settings/")
    worker = turn_on(page, "Without the title")
    page.goto("/chat/temporary/")
    chat = ChatPage(page)
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(3)
    hide(page)
    chat.stop_button.click()
    chat.wait_for_end()
    chat.ask("Hello")
    wait_for_notice(page, worker)
    assert len(shown(worker)) == 1  # of the second answer


def test_a_click_focuses_the_tab_or_opens_the_chat_if_it_was_closed(
    open_noticed: Callable[..., Page],
) -> None:
    page = open_noticed("/settings/")
    worker = turn_on(page, "Without the title")
    other = page.context.new_page()
    other.goto("/chat/")
    page.goto("/chat/")
    chat = ChatPage(page)
    hide(page)
    chat.ask("Hello")
    tab = wait_for_notice(page, worker)["data"]["tab"]
    address = page.url
    clicked = worker.evaluate(CLICK)
    assert clicked["isClosed"]
    assert (clicked["focused"], clicked["opened"]) == ([tab], [])
    page.close()
    clicked = worker.evaluate(CLICK)
    assert clicked["focused"] == [tab]  # as before
    assert [address.endswith(path) for path in clicked["opened"]] == [True]


def test_no_request_passes_through_the_worker(open_noticed: Callable[..., Page]) -> None:
    page = open_noticed("/settings/")
    turn_on(page, "Without the title")
    assert registrations(page) == [SCOPE]
    page.goto("/chat/")
    ChatPage(page).ask("Hello")
    assert page.evaluate("navigator.serviceWorker.controller") is None
    entries = "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]"
    assert page.evaluate(f"{entries}.some(({{ workerStart }}) => workerStart > 0)") is False
    assert page.evaluate("caches.keys()") == []
    inside = page.goto(f"{SCOPE}worker.js")  # the only URL in its scope
    assert inside is not None
    assert not inside.from_service_worker


def test_turning_notices_off_removes_the_worker_here_and_later_on_other_devices(
    site: LiveSite, open_noticed: Callable[..., Page]
) -> None:
    page = open_noticed("/settings/")
    turn_on(page, "Without the title")
    choose(page, "Off")
    page.wait_for_function(f"() => {NONE_LEFT}")
    turn_on(page, "Without the title")
    other = open_noticed("/settings/")  # another browser of hers
    choose(other, "Off")
    page.goto("/chat/")
    page.wait_for_function(f"() => {NONE_LEFT}")


def test_signing_out_removes_the_worker(open_noticed: Callable[..., Page]) -> None:
    page = open_noticed("/settings/")
    turn_on(page, "Without the title")
    page.goto("/chat/")
    page.get_by_role("button", name="Account").click()
    page.locator("#sign-out").get_by_role("button").click()
    page.wait_for_url("**/accounts/login/**")
    page.wait_for_function(f"() => {NONE_LEFT}")
