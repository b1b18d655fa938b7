"""When the site refuses a message, the page gives the reason, keeps the text and retries."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chat_page import ChatPage, unfold
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import MAX_MESSAGE_CHARS
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import overflow

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


TOO_LONG = "river " * (MAX_MESSAGE_CHARS // 6 + 1)


@pytest.mark.quick
def test_a_refused_message_blocks_nothing_and_can_be_dismissed(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask(TOO_LONG)
    assert "emulator" in chat.ask("Two.")
    expect(chat.questions).to_have_count(3)
    refused = chat.answers.nth(1)
    expect(refused).to_contain_text("The limit is 100,000")
    refused.get_by_role("button", name="Dismiss").click()
    expect(chat.questions).to_have_count(2)
    chat.page.reload()
    expect(chat.questions).to_have_count(2)
    expect(chat.composer).to_have_value("")


def test_a_refused_message_survives_a_reload(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask(TOO_LONG)
    chat.ask("Two.")
    chat.page.reload()
    expect(chat.questions).to_have_count(2)
    assert chat.composer.input_value().strip() == TOO_LONG.strip()


def limited(seconds: int) -> Callable[[Route], None]:
    error = {
        "code": "quota_exceeded",
        "message": "You can send 2 messages per minute. Try again later. Your draft is saved.",
        "reason": "You can send 2 messages per minute.",
        "retryable": True,
    }
    headers = {"Retry-After": str(seconds)}
    return lambda route: route.fulfill(status=429, headers=headers, json={"error": error})


@pytest.mark.quick
def test_a_message_over_a_limit_is_sent_once_the_limit_allows_it(chat: ChatPage) -> None:
    sent: list[str] = []
    chat.page.on("request", lambda each: each.url.endswith("/messages") and sent.append(each.url))
    chat.page.route("**/messages", limited(3), times=1)
    chat.composer.fill("Why do rivers bend?")
    chat.composer.press("Enter")
    notice = chat.page.locator("#delayed-send")
    expect(notice).to_contain_text("You can send 2 messages per minute. Sends again in")
    expect(chat.composer).to_have_value("Why do rivers bend?")
    expect(chat.questions).to_have_count(0)
    expect(chat.questions).to_have_count(1)
    assert "emulator" in chat.wait_for_end()
    expect(notice).to_have_count(0)
    expect(chat.composer).to_have_value("")
    assert len(sent) == 2


@pytest.mark.quick
def test_a_message_over_a_limit_waits_for_the_user_once_it_is_changed_or_left(
    chat: ChatPage,
) -> None:
    chat.ask("One.")
    address = chat.page.url
    notice = chat.page.locator("#delayed-send")
    chat.page.route("**/messages", limited(50))
    chat.composer.fill("Two.")
    chat.composer.press("Enter")
    expect(notice).to_be_visible()
    chat.composer.press("!")
    expect(notice).to_have_count(0)
    expect(chat.composer).to_have_value("Two.!")
    chat.composer.press("Enter")
    expect(notice).to_be_visible()
    chat.page.get_by_role("link", name="New chat").first.click()
    expect(notice).to_have_count(0)
    expect(chat.composer).to_have_value("")
    chat.page.goto(address)
    expect(chat.composer).to_have_value("Two.!")
    chat.page.unroute("**/messages")
    chat.page.route("**/messages", limited(3600), times=1)
    chat.composer.press("Enter")
    expect(notice).to_have_text(re.compile("Try again later. Your draft is saved.*Dismiss"))
    expect(chat.composer).to_have_value("Two.!")
    chat.composer.press("Enter")
    chat.wait_for_end()
    expect(notice).to_have_count(0)
    expect(chat.questions).to_have_count(2)


def refuse_model(route: Route) -> None:
    error = {"code": "model_not_allowed", "message": "Choose another one.", "retryable": False}
    route.fulfill(status=403, content_type="application/json", body=json.dumps({"error": error}))


def test_a_refused_message_is_sent_with_another_model(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.page.route("**/messages", refuse_model, times=1)
    chat.ask("Two.")
    expect(chat.last_answer.get_by_role("button", name="Try again")).to_be_hidden()
    expect(chat.last_answer.locator(".turn-foot")).to_be_hidden()
    chat.ask("Three.")
    chat.answers.nth(1).get_by_role("button", name="Change model").click()
    with chat.page.expect_request("**/messages") as sent:
        menu = chat.page.locator("#retry-menu")
        unfold(menu, menu.locator("button", has_text="GPT-OSS 20B")).click()
    needs_request_bodies(chat.page)
    body = json.loads(sent.value.post_data or "")
    assert (body["text"], body["model"]) == ("Two.", "@cf/openai/gpt-oss-20b")
    chat.wait_for_end()
    expect(chat.questions.locator("> .message-text")).to_have_text(["One.", "Three.", "Two."])
    chat.page.reload()
    expect(chat.questions.locator("> .message-text")).to_have_text(["One.", "Three.", "Two."])


@pytest.mark.parametrize("colours", COLOURS)
def test_refused_messages_are_accessible(
    open_chat: Callable[..., ChatPage], colours: dict[str, str]
) -> None:
    chat = open_chat(**colours, **BARE)
    chat.page.route("**/messages", refuse_model)
    chat.ask("One.")
    expect(chat.last_answer.get_by_role("button", name="Dismiss")).to_be_visible()
    assert axe(chat.page) == []
    chat.page.set_viewport_size({"width": 320, "height": 700})
    assert overflow(chat.page) <= 0


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
