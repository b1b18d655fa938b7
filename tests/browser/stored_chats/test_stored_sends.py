"""Each message is stored once, whatever happens to its request; drafts belong to their chat."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import LiveSite
from tests.support.browser.stored_chats import MESSAGES, bodies

START = "/chat/"


@pytest.fixture(scope="module")
def mira(site: LiveSite) -> StorageState:
    return sign_in(site, "milo@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], mira: StorageState) -> ChatPage:
    return open_chat(storage_state=mira)


def test_a_double_click_sends_once(chat: ChatPage) -> None:
    chat.composer.fill("Only once.")
    chat.send_button.dblclick()
    chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.page.get_by_role("link", name="Only once.")).to_have_count(1)


def test_a_lost_response_is_requested_again_with_the_same_key(chat: ChatPage) -> None:
    sent = bodies(chat.page)

    def lose_the_first(route: Route) -> None:
        if len(sent) == 1:
            route.fetch()  # it does arrive
            route.abort()
        else:
            route.continue_()

    chat.page.route(MESSAGES, lose_the_first)
    assert "emulator" in chat.ask("Sent twice, asked once.")
    assert len(sent) == 2
    assert sent[0] == sent[1]
    chat.page.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.page.get_by_role("link", name="Sent twice, asked once.")).to_have_count(1)


@pytest.mark.quick
def test_an_unsent_message_is_kept_and_sent_again(chat: ChatPage) -> None:
    sent = bodies(chat.page)
    chat.page.route(MESSAGES, lambda route: route.abort())
    chat.send("Not lost.")
    chat.page.wait_for_timeout(350)
    chat.stop_button.click()  # do not wait for all attempts
    expect(chat.outcome).to_contain_text("wasn't sent")
    chat.composer.fill("Another thought.")
    chat.composer.press("Enter")
    expect(chat.hint).to_contain_text("previous message wasn't sent")
    expect(chat.composer).to_have_value("Another thought.")
    chat.page.unroute(MESSAGES)
    chat.page.get_by_role("button", name="Try again").click()
    assert "emulator" in chat.wait_for_end()
    expect(chat.composer).to_have_value("Another thought.")
    assert len({body["key"] for body in sent}) == 1


def test_a_reload_before_the_server_has_the_message_restores_it(chat: ChatPage) -> None:
    sent = bodies(chat.page)
    chat.page.route(MESSAGES, lambda route: None, times=1)  # never answered
    chat.send("Do not forget me.")
    chat.page.wait_for_timeout(100)
    chat.page.reload()
    expect(chat.composer).to_have_value("Do not forget me.")
    chat.composer.press("Enter")
    chat.wait_for_end()
    assert sent[0] == sent[-1]


def test_each_chat_keeps_its_own_draft(chat: ChatPage) -> None:
    chat.ask("Drafts.")
    chat.composer.fill("for this chat")
    address = chat.page.url
    chat.page.goto("/chat/")
    expect(chat.composer).to_have_value("")
    chat.composer.fill("for a new one")
    chat.page.goto(address)
    expect(chat.composer).to_have_value("for this chat")
    chat.page.goto("/chat/")
    expect(chat.composer).to_have_value("for a new one")


def test_text_typed_during_the_first_answer_stays_with_its_chat(chat: ChatPage) -> None:
    chat.send(UNTIL_STOPPED)
    chat.composer.fill("And then?")
    chat.wait_for_text(5)
    chat.page.reload()
    expect(chat.composer).to_have_value("And then?")
    chat.press_stop()


def send_unheard(chat: ChatPage, text: str) -> None:
    """Send a message that the site accepts, but whose response does not reach the page."""
    needs_request_bodies(chat.page)  # to pass the request on
    taken: list[Any] = []
    chat.page.route(MESSAGES, lambda route: taken.append(route.fetch()), times=1)
    chat.send(text)
    while not taken:
        chat.page.wait_for_timeout(20)


def test_a_message_that_arrived_after_its_tab_closed_is_not_a_draft(chat: ChatPage) -> None:
    keeper = chat.page.context.new_page()  # or the context would end with its last page
    send_unheard(chat, "Did this arrive?")
    chat.composer.fill("And another thought")
    chat.page.close(run_before_unload=True)
    keeper.wait_for_timeout(200)
    keeper.goto("/chat/")
    expect(ChatPage(keeper).composer).to_have_value("And another thought")
    expect(keeper.get_by_role("link", name="Did this arrive?")).to_have_count(1)
    keeper.reload()
    expect(ChatPage(keeper).composer).to_have_value("And another thought")


def test_a_reload_before_the_first_response_leads_to_the_new_chat(chat: ChatPage) -> None:
    send_unheard(chat, "Is it there yet?")
    chat.page.reload()
    chat.page.wait_for_url(re.compile(r"/chat/[0-9a-f-]{36}/$"))
    chat = ChatPage(chat.page)
    expect(chat.questions).to_have_text([re.compile("Is it there yet")])
    expect(chat.composer).to_have_value("")
