"""Edited questions, other answers, and switching between them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.stored_chats import MESSAGES, bodies, second_tab
from tests.support.browser.turn_editing import arrows, edit, editor

START = "/chat/"


@pytest.fixture(scope="module")
def ines(site: LiveSite, browser: Browser) -> StorageState:
    return sign_in(site, "ines@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], ines: StorageState) -> ChatPage:
    return open_chat(storage_state=ines)


def listening(chat: ChatPage) -> ChatPage:
    """Return the same page with notifications connected."""
    with chat.page.expect_websocket():
        chat.page.reload()
    return ChatPage(chat.page)


def author(chat: ChatPage, number: int = 0) -> Locator:
    return chat.answers.nth(number).locator(".answer-model")


@pytest.mark.quick
def test_an_edited_question_becomes_a_branch_and_arrows_lead_back(chat: ChatPage) -> None:
    chat.ask("Why do rivers bend?")
    old = chat.ask("And brooks?")
    chat.ask("And canals?")
    edit(chat, 1, "And glaciers?")
    editor(chat).press("Enter")
    expect(chat.questions).to_have_count(2)
    chat.wait_for_end()
    expect(chat.questions.nth(1).locator(".message-text")).to_have_text("And glaciers?")
    previous, place, _ = arrows(chat.questions.nth(1))
    expect(place).to_have_text("2/2")
    previous.click()
    expect(chat.questions).to_have_count(3)
    expect(chat.questions.nth(1).locator(".message-text")).to_have_text("And brooks?")
    expect(chat.answers.nth(1).locator("> .message-text")).to_have_text(old)
    expect(chat.page).to_have_url(re.compile(r"/\?at=\d+$"))
    chat.page.reload()
    expect(chat.questions.nth(2).locator(".message-text")).to_have_text("And canals?")
    sent = bodies(chat.page)
    chat.ask("Go on.")
    expect(chat.questions).to_have_count(4)
    assert sent[0]["parent"]
    expect(chat.page).to_have_url(re.compile(r"/$"))
    chat.page.reload()
    expect(chat.questions.nth(1).locator(".message-text")).to_have_text("And brooks?")
    expect(chat.questions).to_have_count(4)


@pytest.mark.firefox
@pytest.mark.quick
def test_the_first_question_is_edited_by_keyboard(chat: ChatPage) -> None:
    chat.ask("One.")
    button = chat.questions.first.get_by_role("button", name="Edit question")
    button.press("Enter")
    expect(editor(chat)).to_be_focused()
    expect(editor(chat)).to_have_value("One.")
    chat.page.keyboard.type(" Two.")
    chat.page.keyboard.press("Escape")
    expect(editor(chat)).to_have_count(0)
    expect(button).to_be_focused()
    button.press("Enter")
    expect(editor(chat)).to_have_value("One.")
    chat.page.keyboard.type(" Three.")
    chat.page.keyboard.press("Enter")
    expect(chat.questions.first.locator(".message-text")).to_have_text("One. Three.")
    chat.wait_for_end()
    previous, place, following = arrows(chat.questions.first)
    expect(place).to_have_text("2/2")
    previous.press("Enter")
    expect(place).to_have_text("1/2")
    expect(previous).to_be_focused()
    expect(previous).to_have_attribute("aria-disabled", "true")
    chat.page.keyboard.press("Tab")
    expect(following).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(place).to_have_text("2/2")
    expect(chat.announcement).to_contain_text("Version 2 of 2")


def test_a_text_that_cannot_be_sent_stays_in_the_editor(chat: ChatPage) -> None:
    chat.ask("One.")
    chat.ask("Two.")
    chat.composer.fill("for later")
    sent = bodies(chat.page)
    edit(chat, 0, "Written anew.")
    chat.page.reload()
    expect(editor(chat)).to_have_value("Written anew.")
    chat.page.route(MESSAGES, lambda route: route.abort())
    chat.page.get_by_role("button", name="Save and send").click()
    expect(chat.questions).to_have_count(1)
    chat.page.wait_for_timeout(350)
    chat.stop_button.click()
    expect(editor(chat)).to_have_value("Written anew.")
    expect(chat.questions).to_have_count(2)
    expect(chat.page.get_by_role("alert").filter(has_text="wasn't sent")).to_be_visible()
    chat.page.unroute(MESSAGES)
    editor(chat).press("Enter")
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()
    assert len({body["key"] for body in sent}) == 1
    expect(chat.composer).to_have_value("for later")
    chat.page.reload()
    expect(editor(chat)).to_have_count(0)
    expect(arrows(chat.questions.first)[1]).to_have_text("2/2")


def test_another_answer_can_come_from_another_model(chat: ChatPage) -> None:
    first = chat.ask("Why do rivers bend?")
    chat.ask("And then?")
    sent = bodies(chat.page)
    menu = chat.page.locator("#retry-menu")
    chat.answers.first.get_by_role("button", name="Retry").click()
    other = menu.locator("[data-model]:not([aria-current])").first
    model, name = other.get_attribute("data-model"), other.inner_text()
    expect(author(chat)).to_be_hidden()  # it is the chosen one
    other.click()
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()
    assert sent[0]["model"] == model
    previous, place, _ = arrows(chat.answers.first)
    expect(place).to_have_text("2/2")
    expect(author(chat)).to_have_text(f"Model: {name}")
    expect(chat.page.locator("#chat-head")).not_to_contain_text("Llama")
    previous.click()
    expect(chat.questions).to_have_count(2)
    expect(author(chat)).to_have_text("Model: Llama 3.3 70B")
    chat.choose_model(name)
    expect(author(chat, 1)).to_have_text("Model: Llama 3.3 70B")
    expect(chat.answers.first.locator("> .message-text")).to_have_text(first)
    chat.retry(1)
    chat.wait_for_end()
    assert sent[1]["model"] != model
    expect(arrows(chat.answers.nth(1))[1]).to_have_text("2/2")


@pytest.mark.long  # an answer at five tokens a second, to its end
def test_a_failed_retry_does_not_hide_the_older_answer(chat: ChatPage) -> None:
    chat.ask("/slow Tell me about water.")
    chat.retry(0)
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped")
    previous, place, _ = arrows(chat.last_answer)
    expect(place).to_have_text("2/2")
    previous.click()
    expect(place).to_have_text("1/2")
    expect(chat.outcome).to_be_hidden()


def test_the_user_can_switch_branches_while_an_answer_streams(chat: ChatPage) -> None:
    chat.ask("One.")
    edit(chat, 0, UNTIL_STOPPED)
    editor(chat).press("Enter")
    chat.wait_for_text(10)
    previous, place, following = arrows(chat.questions.first)
    previous.click()
    expect(place).to_have_text("1/2")
    expect(chat.stop_button).to_have_count(0)
    following.click()
    expect(place).to_have_text("2/2")
    expect(chat.stop_button).to_be_visible()
    chat.wait_for_text(20)
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")
    before = chat.last_text.text_content() or ""
    chat.page.get_by_role("button", name="Continue").click()
    assert chat.wait_for_end().startswith(before)


def test_edits_in_two_tabs_become_branches_and_neither_tab_jumps(chat: ChatPage) -> None:
    chat.ask("Root.")
    chat.ask("Second.")
    other = second_tab(chat)
    chat, other = listening(chat), listening(other)
    edit(chat, 1, "Left.")
    editor(chat).press("Enter")
    chat.wait_for_end()
    expect(arrows(other.questions.nth(1))[1]).to_have_text("1/2")
    expect(other.questions.nth(1).locator(".message-text")).to_have_text("Second.")
    edit(other, 1, "Right.")
    editor(other).press("Enter")
    other.wait_for_end()
    expect(arrows(chat.questions.nth(1))[1]).to_have_text("2/3")
    expect(chat.questions.nth(1).locator(".message-text")).to_have_text("Left.")
    chat.page.reload()
    expect(chat.questions.nth(1).locator(".message-text")).to_have_text("Left.")
    other.ask("On the right.")
    expect(chat.questions).to_have_count(2)
    third = second_tab(chat)
    third.ask("On the left.")
    expect(chat.questions).to_have_count(3)
    expect(chat.questions.nth(2).locator(".message-text")).to_have_text("On the left.")
