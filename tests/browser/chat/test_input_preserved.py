"""Typed text and running answers are never lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import MAX_BODY_BYTES, LiveSite


@pytest.mark.quick
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/error 4006", "daily limit"),
        ("/error 502", "had a problem"),
        ("/error 10000", "account"),
    ],
)
def test_an_error_keeps_the_question_and_says_what_happened(
    chat: ChatPage, command: str, words: str
) -> None:
    chat.ask(command)
    expect(chat.questions.last).to_contain_text(command)
    expect(chat.outcome).to_contain_text(words)
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    expect(chat.composer).to_have_value(command)
    expect(chat.composer).to_be_focused()
    expect(chat.questions).to_have_count(0)


def test_editing_a_failed_question_keeps_text_typed_meanwhile(chat: ChatPage) -> None:
    chat.ask("/error 4006")
    chat.composer.fill("Something else.")
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    expect(chat.composer).to_have_value("/error 4006\n\nSomething else.")


@pytest.mark.quick
def test_without_a_network_the_question_stays_and_can_be_retried(chat: ChatPage) -> None:
    chat.page.context.set_offline(True)
    chat.send("Why do rivers bend?")
    expect(chat.outcome).to_contain_text("wasn't sent")
    chat.page.context.set_offline(False)
    chat.page.get_by_role("button", name="Try again").click()
    assert "emulator" in chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()


def test_a_signed_out_member_signs_in_elsewhere_and_continues(chat: ChatPage) -> None:
    chat.ask("One.")
    cookies = chat.page.context.cookies()
    chat.page.context.clear_cookies(name="sessionid")
    chat.ask("Two, with a long text that nobody wants to type twice.")
    expect(chat.outcome).to_contain_text("You've been signed out")
    with chat.page.context.expect_page() as opened:
        chat.page.get_by_role("link", name="Sign in").click()
    expect(opened.value.get_by_role("heading", name="Sign in to Runnel")).to_be_visible()
    chat.page.context.add_cookies(cookies)  # signed in over there
    chat.page.get_by_role("button", name="Try again").click()
    assert re.search(r"3\s+messages", chat.wait_for_end().replace("*", ""))


def test_a_gateways_error_page_gets_a_readable_message(chat: ChatPage) -> None:
    chat.page.route(
        "**/chat/stream",
        lambda route: route.fulfill(status=504, content_type="text/html", body="<h1>504</h1>"),
    )
    chat.ask("Why do rivers bend?")
    expect(chat.outcome).to_contain_text("The site isn't responding right now (error 504).")


def test_a_message_that_is_too_long_stays_in_the_box(chat: ChatPage) -> None:
    text = "river " * (MAX_BODY_BYTES // 5)
    chat.ask(text)
    expect(chat.outcome).to_contain_text("too long for this site")
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    assert len(chat.composer.input_value()) == len(text)


@pytest.mark.quick
def test_a_draft_survives_a_reload(chat: ChatPage) -> None:
    chat.composer.fill("half a thought,\nnot sent")
    chat.page.reload()
    expect(chat.composer).to_have_value("half a thought,\nnot sent")


def test_a_reload_before_the_server_has_the_question_restores_it(chat: ChatPage) -> None:
    routes: list[Route] = []
    chat.page.route("**/chat/stream", lambda route: routes.append(route))  # never answered
    chat.send("Why do rivers bend?")
    chat.page.wait_for_timeout(100)
    chat.page.unroute("**/chat/stream")
    chat.page.reload()
    expect(chat.composer).to_have_value("Why do rivers bend?")
    expect(chat.questions).to_have_count(0)


def test_the_draft_is_removed_once_the_server_has_the_question(chat: ChatPage) -> None:
    chat.ask("Why do rivers bend?")
    chat.page.reload()
    expect(chat.composer).to_have_value("")
    expect(chat.questions).to_have_count(1)


def test_a_reload_during_an_answer_follows_it_to_its_end(chat: ChatPage) -> None:
    chat.send("/long 1000 100")
    chat.wait_for_text(100)
    chat.page.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.stop_button).to_be_visible()
    text = chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()
    assert "tokens" in chat.read_details()
    heading = chat.last_text.locator("> :first-child")
    assert text.startswith(heading.text_content() or "-")
    expect(heading).to_have_role("heading")
    chat.page.reload()
    assert chat.last_text.text_content() == text


def test_a_broken_connection_is_resumed(chat: ChatPage) -> None:
    needs_request_bodies(chat.page)  # to pass the request on

    def cut(route: Route) -> None:
        response = route.fetch()
        body = response.body()
        route.fulfill(response=response, body=body[: len(body) // 2])

    chat.page.route("**/chat/stream", cut)
    chat.page.route("**/generations/*/stream", lambda route: route.abort(), times=1)
    chat.send("/long 300")
    expect(chat.last_answer).to_contain_text("Connection lost. Reconnecting…")
    text = chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()
    assert "tokens" in chat.read_details()
    assert len(text) > 1000


def test_enter_during_an_answer_keeps_the_text(chat: ChatPage) -> None:
    chat.start_answer()
    chat.composer.fill("And then?")
    chat.composer.press("Enter")
    expect(chat.page.locator("#queued")).to_contain_text("And then?")
    expect(chat.questions).to_have_count(1)
    chat.press_stop()
    expect(chat.composer).to_have_value("And then?")


def test_signing_out_clears_the_tabs_storage(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    chat = open_chat(storage_state=sign_in(site, "lea@example.org"))
    chat.ask("A secret.")
    chat.page.get_by_role("button", name="Account").click()
    chat.page.get_by_role("button", name="Sign out").click()
    chat.page.wait_for_url("**/accounts/login/**")
    assert (
        chat.page.evaluate("Object.keys(sessionStorage).filter((key) => /runnel/.test(key))") == []
    )
