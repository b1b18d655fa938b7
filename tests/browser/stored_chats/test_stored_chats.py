"""The page shows what is stored, after reloads, in second tabs and after lost responses."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.stored_chats import bodies, second_tab

START = "/chat/"


@pytest.fixture(scope="module")
def mira(site: LiveSite) -> StorageState:
    return sign_in(site, "mira@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], mira: StorageState) -> ChatPage:
    return open_chat(storage_state=mira)


@pytest.mark.firefox
@pytest.mark.quick
def test_a_first_message_gives_the_chat_a_url_a_title_and_a_sidebar_entry(chat: ChatPage) -> None:
    text = chat.ask("Why do rivers bend, mostly?")
    expect(chat.page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}/$"))
    expect(chat.page).to_have_title("Why do rivers bend, mostly? – Runnel")
    entry = chat.page.get_by_role("navigation").get_by_role("link").first
    expect(entry).to_have_accessible_name("Why do rivers bend, mostly?")
    expect(entry).to_have_attribute("aria-current", "page")
    chat.page.reload()
    assert chat.last_text.text_content() == text
    assert "tokens" in chat.read_details()
    chat.ask("And then?")
    expect(chat.page.get_by_role("link", name="Why do rivers bend, mostly?")).to_have_count(1)


@pytest.mark.firefox
@pytest.mark.quick
def test_a_reload_during_an_answer_shows_all_of_it(chat: ChatPage) -> None:
    chat.send("/long 1900")
    chat.wait_for_text(200)
    before = chat.last_text.text_content() or ""
    chat.page.reload()
    chat.wait_for_text(len(before))
    assert (chat.last_text.text_content() or "").startswith(before)
    text = chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()
    assert len(text) > 5_000
    chat.page.reload()
    assert chat.last_text.text_content() == text


@pytest.mark.firefox
@pytest.mark.quick
def test_a_second_tab_follows_the_answer_and_stops_it_for_both(chat: ChatPage) -> None:
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(10)
    other = second_tab(chat)
    other.wait_for_text(20)
    before = other.last_text.text_content() or ""
    other.wait_for_text(len(before) + 5)
    other.press_stop()
    for each in (chat, other):
        expect(each.outcome).to_contain_text("Stopped.")
    assert chat.last_text.text_content() == other.last_text.text_content()
    other.page.reload()
    assert other.last_text.text_content() == chat.last_text.text_content()


def test_a_stopped_answer_can_be_continued_in_place(chat: ChatPage) -> None:
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(20)
    chat.press_stop()
    before = chat.wait_for_end()
    chat.page.get_by_role("button", name="Continue").click()
    text = chat.wait_for_end()
    assert text.startswith(before)
    assert "Continue exactly" in text  # the emulator says what it was asked
    expect(chat.questions).to_have_count(1)
    expect(chat.outcome).to_be_hidden()
    chat.page.reload()
    assert chat.last_text.text_content() == text


def test_an_answer_cut_at_max_tokens_can_be_continued(chat: ChatPage) -> None:
    before = chat.ask("/long 2500")
    expect(chat.outcome).to_contain_text("Reached the length limit")
    chat.page.get_by_role("button", name="Continue").click()
    text = chat.wait_for_end()
    assert text.startswith(before)
    assert len(text) > len(before)


def test_a_reload_right_after_continuing_shows_both_parts(chat: ChatPage) -> None:
    chat.ask("/cut 12")
    before = chat.last_text.text_content() or ""
    chat.page.get_by_role("button", name="Continue").click()
    chat.wait_for_text(len(before) + 1)
    chat.page.reload()
    text = chat.wait_for_end()
    assert text.startswith(before)
    assert len(text) > len(before) + 50
    chat.page.reload()
    assert chat.last_text.text_content() == text


def test_a_retried_answer_replaces_the_shown_one(chat: ChatPage) -> None:
    chat.ask("/cut 12")
    expect(chat.outcome).to_contain_text("interrupted")
    sent = bodies(chat.page)
    chat.page.get_by_role("button", name="Try again").click()
    chat.wait_for_end()
    assert "retry" in sent[0]
    expect(chat.questions).to_have_count(1)
    expect(chat.answers).to_have_count(1)


def test_an_error_is_stored_with_its_question(chat: ChatPage) -> None:
    chat.ask("/error 4006")
    expect(chat.outcome).to_contain_text("daily limit")
    chat.page.reload()
    expect(chat.questions).to_have_text(re.compile("/error 4006"))
    expect(chat.outcome).to_contain_text("daily limit")
    expect(chat.page.get_by_role("button", name="Try again")).to_be_visible()
    expect(chat.page.get_by_role("button", name="Edit", exact=True)).to_be_hidden()


def test_returning_to_a_tab_shows_messages_sent_elsewhere(chat: ChatPage) -> None:
    chat.ask("One.")
    other = second_tab(chat)
    text = other.ask("Two.")
    chat.composer.fill("half a thought")
    chat.page.evaluate("window.first = document.querySelector('.exchange')")
    chat.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(chat.questions).to_have_count(2)
    expect(chat.last_text).to_have_text(text)
    expect(chat.composer).to_have_value("half a thought")
    assert chat.page.evaluate("window.first === document.querySelector('.exchange')")
    other.send(UNTIL_STOPPED)
    other.wait_for_text(5)
    chat.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(chat.stop_button).to_be_visible()
    chat.press_stop()
    expect(other.outcome).to_contain_text("Stopped.")


def test_a_chat_deleted_elsewhere_shows_a_message(chat: ChatPage) -> None:
    chat.ask("Short-lived.")
    other = second_tab(chat)
    other.page.locator(".entry [aria-current] + button").click()
    other.page.get_by_role("button", name="Delete", exact=True).click()
    other.page.wait_for_url("**/chat/?deleted=*")
    chat.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(chat.hint).to_contain_text("is no longer available")
    chat.ask("Are you there?")
    expect(chat.outcome).to_contain_text("is no longer available")
    chat.page.get_by_role("button", name="Edit", exact=True).click()
    expect(chat.composer).to_have_value("Are you there?")


def test_another_members_chat_answers_404(
    chat: ChatPage, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    chat.ask("Mine alone.")
    page = open_page(chat.page.url, storage_state=signed_in)
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.get_by_text("Mine alone.")).to_have_count(0)


def test_a_stored_chat_can_be_read_without_scripts(
    chat: ChatPage, open_page: Callable[..., Page], mira: StorageState
) -> None:
    chat.ask("/hostile")
    source = stored_turns(chat.page)[-1]["text"]
    page = open_page(chat.page.url, storage_state=mira, java_script_enabled=False)
    expect(page.locator(".question .message-text")).to_have_text("/hostile")
    shown = page.locator(".answer > .message-text").text_content() or ""
    assert shown.split() == source.replace("\0", "").split()
    assert page.locator(".answer > .message-text *").count() == 0


@pytest.mark.quick
def test_a_question_can_be_asked_without_scripts(
    open_page: Callable[..., Page], mira: StorageState
) -> None:
    page = open_page("/chat/", storage_state=mira, java_script_enabled=False)
    page.get_by_role("textbox", name="Message").fill("Why do rivers bend?")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url(re.compile(r"/chat/[0-9a-f-]{36}/$"))
    expect(page.locator(".question .message-text")).to_have_text("Why do rivers bend?")
    page.wait_for_timeout(1000)
    page.reload()  # by then it is finished
    expect(page.locator(".answer > .message-text")).to_contain_text("emulator")
    page.get_by_role("textbox", name="Message").fill("And then?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".question")).to_have_count(2)


def stored_turns(page: Page) -> list[dict[str, Any]]:
    """Return the conversation's turns as stored on the server."""
    found: list[dict[str, Any]] = page.evaluate(
        """async () => {
          const response = await fetch(location.pathname, { headers: { Accept: "application/json" } });
          return (await response.json()).turns;
        }"""
    )
    return found
