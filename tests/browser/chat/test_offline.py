"""When the site cannot be reached, the page says so, keeps text, and recovers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import overflow
from tests.support.variants import later

START = "/chat/"
MAX_PAUSE_MS = 30_000


@pytest.fixture(scope="module")
def olga(site: LiveSite) -> StorageState:
    return sign_in(site, "olga@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], olga: StorageState) -> ChatPage:
    return open_chat(storage_state=olga)


@pytest.mark.quick
def test_being_offline_shows_a_notice_until_it_is_over(chat: ChatPage) -> None:
    notice = chat.page.locator("#offline")
    expect(notice).to_be_hidden()
    chat.page.context.set_offline(True)
    expect(notice).to_have_text("You're offline. Your text is saved.")
    expect(chat.announcement).to_contain_text("You're offline.")
    chat.composer.fill("Written on a train")
    chat.page.context.set_offline(False)
    expect(notice).to_be_hidden()
    expect(chat.announcement).to_contain_text("You're back online.")
    expect(chat.composer).to_have_value("Written on a train")


def test_a_message_sent_while_offline_waits_for_the_connection(chat: ChatPage) -> None:
    chat.page.context.set_offline(True)
    chat.send("Sent in a tunnel")
    expect(chat.last_answer).to_contain_text("Connection lost. Reconnecting…")
    expect(chat.page.locator("#offline")).to_have_text("You're offline. Your text is saved.")
    chat.page.context.set_offline(False)
    assert "Sent in a tunnel" in chat.wait_for_end()


def test_a_site_that_does_not_answer_shows_a_notice_and_is_polled(chat: ChatPage) -> None:
    def refuse(route: object) -> None:
        route.abort("connectionrefused")  # type: ignore[attr-defined]

    chat.page.clock.install()
    for address in ("**/chat/search/**", "**/prompts/names", "**/healthz"):
        chat.page.route(address, refuse)
    chat.page.keyboard.press("Control+k")
    expect(chat.page.locator("#palette [role=status]")).to_contain_text("wasn't sent")
    chat.page.keyboard.press("Escape")
    notice = chat.page.locator("#offline")
    expect(notice).to_have_text("The site isn't responding. Your text is saved.")
    chat.page.unroute("**/healthz", refuse)
    with chat.page.expect_response("**/healthz"):
        chat.page.clock.run_for(2 * MAX_PAUSE_MS)  # the one it is in may end in a refusal still
    expect(notice).to_be_hidden()


@pytest.mark.parametrize("width", [320, *later(390, 1280)])
def test_the_offline_notice_is_accessible(
    open_chat: Callable[..., ChatPage], olga: StorageState, width: int
) -> None:
    options = {"storage_state": olga, "viewport": {"width": width, "height": 700}, "locale": "ar"}
    chat = open_chat(**(options | BARE))
    chat.page.context.set_offline(True)
    expect(chat.page.locator("#offline")).to_be_visible()
    assert overflow(chat.page) <= 0
    assert axe(chat.page) == []


def new_tab(page: Page, path: str) -> ChatPage:
    tab = page.context.new_page()
    tab.goto(path)
    return ChatPage(tab)


def test_a_draft_survives_closing_the_tab(chat: ChatPage) -> None:
    keeper = chat.page.context.new_page()  # or the context would end with its last page
    chat.composer.fill("Half a thought")
    with chat.page.expect_event("close"):
        chat.page.close(run_before_unload=True)
    next_tab = new_tab(keeper, "/chat/")
    expect(next_tab.composer).to_have_value("Half a thought")
    third = new_tab(keeper, "/chat/")
    expect(third.composer).to_have_value("")


def test_each_conversation_and_each_tab_has_its_own_draft(chat: ChatPage) -> None:
    chat.ask("One.")
    one = chat.page.url
    chat.composer.fill("to the first")
    other = new_tab(chat.page, "/chat/")
    expect(other.composer).to_have_value("")
    other.composer.fill("to a new one")
    chat.page.reload()
    expect(ChatPage(chat.page).composer).to_have_value("to the first")
    other.page.goto(one)
    expect(ChatPage(other.page).composer).to_have_value("")
    other.page.goto("/chat/")
    expect(ChatPage(other.page).composer).to_have_value("to a new one")
    other.ask("Two.")
    chat.page.reload()
    expect(ChatPage(chat.page).composer).to_have_value("to the first")


def stored(page: Page) -> list[str]:
    """Return all typed text that the browser stores."""
    kept: list[str] = page.evaluate(
        "[...Object.values(localStorage), ...Object.values(sessionStorage)]"
    )
    return [each for each in kept if "secret" in each]


@pytest.mark.parametrize("way", ["menu", *later("page")])
def test_signing_out_deletes_drafts(
    site: LiveSite, open_chat: Callable[..., ChatPage], way: str
) -> None:
    chat = open_chat(storage_state=sign_in(site, f"{way}-out@example.org"))
    chat.composer.fill("a secret")
    if way == "menu":
        chat.page.get_by_role("button", name="Account").click()
        chat.page.get_by_role("button", name="Sign out").click()
    else:
        chat.page.goto("/accounts/logout/")
        chat.page.get_by_role("button", name="Sign out").click()
    chat.page.wait_for_url("**/accounts/login/**")
    assert stored(chat.page) == []
    sign_in_again(chat.page, f"{way}-out@example.org")
    expect(ChatPage(chat.page).composer).to_have_value("")


def test_the_next_member_on_the_device_sees_no_drafts(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    chat = open_chat(storage_state=sign_in(site, "first@example.org"))
    sign_in(site, "second@example.org")
    chat.composer.fill("a secret")
    chat.page.context.clear_cookies(name="sessionid")  # a session that ended by itself
    chat.page.goto("/accounts/login/")
    sign_in_again(chat.page, "second@example.org")
    expect(ChatPage(chat.page).composer).to_have_value("")
    assert stored(chat.page) == []


def sign_in_again(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/chat/")
