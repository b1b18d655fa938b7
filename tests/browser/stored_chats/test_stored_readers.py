"""Browsers open six connections to a site, so hidden tabs hold none."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage

START = "/chat/"

#: A headless browser shows all its tabs, so this tells a tab that it is hidden and advances its clock.
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def context(open_chat: Callable[..., ChatPage]) -> BrowserContext:
    return open_chat().page.context


def open_tab(context: BrowserContext, address: str = "/chat/") -> ChatPage:
    page = context.new_page()
    page.clock.install()
    page.goto(address)
    return ChatPage(page)


def hide(page: Page) -> None:
    page.evaluate(HIDE, "hidden")
    page.clock.fast_forward(10_100)


def show(page: Page) -> None:
    page.evaluate(HIDE, "visible")


def test_a_hidden_tab_disconnects_and_resumes_when_it_is_shown(context: BrowserContext) -> None:
    chat = open_tab(context)
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(10)
    with chat.page.expect_event("requestfailed"):
        hide(chat.page)
    chat.page.wait_for_timeout(100)
    before = chat.last_text.text_content() or ""
    chat.page.wait_for_timeout(600)
    assert chat.last_text.text_content() == before
    expect(chat.last_answer).not_to_contain_text("Connection lost")
    with chat.page.expect_request("**/stream") as taken_up:
        show(chat.page)
    assert int(taken_up.value.headers["last-event-id"]) > 0
    chat.wait_for_text(len(before) + 5)
    assert (chat.last_text.text_content() or "").startswith(before)
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")


def test_with_seven_tabs_stop_takes_effect_at_once(context: BrowserContext) -> None:
    first = open_tab(context)
    first.send(UNTIL_STOPPED)
    first.wait_for_text(5)
    tabs = [first]
    while len(tabs) < 7:
        hide(tabs[-1].page)
        tabs.append(open_tab(context, first.page.url))
        tabs[-1].wait_for_text(5)
    tabs[-1].page.wait_for_timeout(320)
    tabs[-1].stop_button.click()
    expect(tabs[-1].outcome).to_contain_text("Stopped.")
    text = tabs[-1].last_text.text_content()
    for tab in tabs[:-1]:
        show(tab.page)
        expect(tab.outcome).to_contain_text("Stopped.")
        assert tab.last_text.text_content() == text


def test_a_tab_opened_in_the_background_connects_when_it_is_shown(
    context: BrowserContext,
) -> None:
    chat = open_tab(context)
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(5)
    page = context.new_page()
    page.add_init_script(f"({HIDE})('hidden')")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(chat.page.url)
    behind = ChatPage(page)
    page.wait_for_timeout(300)
    assert [url for url in requests if url.endswith("/stream")] == []
    show(page)
    behind.wait_for_text(5)
    behind.press_stop()
