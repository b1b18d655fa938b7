"""When the site refuses a message, the page gives the reason, keeps the text and retries."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.server import MAX_MESSAGE_CHARS

START = "/chat/"
BUSY = {
    "code": "overloaded",
    "message": "This site is very busy. Try again in a moment. Your draft is saved.",
}


def busy(route: Route) -> None:
    body = json.dumps({"error": {**BUSY, "retryable": True}})
    route.fulfill(
        status=503, content_type="application/json", headers={"Retry-After": "1"}, body=body
    )


@pytest.mark.quick
def test_a_message_that_is_too_long_stays_and_shows_by_how_much(chat: ChatPage) -> None:
    text = "river " * (MAX_MESSAGE_CHARS // 6 + 1)
    chat.ask(text)
    expect(chat.outcome).to_contain_text(f"{len(text):,} characters. The limit is 100,000")
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    assert chat.composer.input_value().strip() == text.strip()
    assert "emulator" in chat.ask("Shorter.")
    expect(chat.questions).to_have_count(1)


@pytest.mark.quick
def test_a_busy_site_is_retried_automatically(chat: ChatPage) -> None:
    turned_away: list[str] = []

    def at_first(route: Route) -> None:
        if len(turned_away) == 2:
            route.continue_()
            return
        turned_away.append(route.request.post_data or "")
        busy(route)

    chat.page.route("**/chat/messages", at_first)
    assert "emulator" in chat.ask("Why do rivers bend?")
    assert len(set(turned_away)) == 1
    expect(chat.questions).to_have_count(1)


def test_a_site_that_stays_busy_shows_a_message_and_keeps_the_question(
    open_page: Callable[..., Page], open_chat: Callable[..., ChatPage]
) -> None:
    chat = open_chat()
    chat.page.goto("/chat/temporary/")  # a send without a key is not repeated by itself
    chat.page.route("**/chat/stream", busy)
    chat.ask("Why do rivers bend?")
    expect(chat.outcome).to_contain_text("This site is very busy")
    chat.page.unroute("**/chat/stream")
    chat.page.get_by_role("button", name="Try again").click()
    assert "emulator" in chat.wait_for_end()


def test_too_many_wrong_passwords_show_when_to_try_again(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/accounts/login/")
    for _ in range(6):
        page.get_by_label("Email").fill("mistyped@example.org")
        page.get_by_label("Password").fill("not this one")
        page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Try again in 5 minutes.")
    expect(page.get_by_label("Email")).to_have_value("mistyped@example.org")
    expect(page.get_by_label("Password")).to_have_value("")
