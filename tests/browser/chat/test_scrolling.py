"""The chat stays where it is while something is written or gets the focus."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.widget_page import WidgetPage

START = "/chat/"
LONG = "/long 600 400"
GROWN = "height => document.documentElement.scrollHeight > height"


def scroll_to(page: Page, top: int) -> None:
    page.evaluate("top => scrollTo({ top, behavior: 'instant' })", top)
    assert scroll_of(page) == top


def scroll_of(page: Page) -> int:
    return int(page.evaluate("scrollY"))


def click(locator: Locator) -> None:
    """Click it where it is: in Firefox, Playwright scrolls to what it clicks."""
    box = locator.bounding_box()
    assert box
    locator.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.quick
def test_what_is_written_moves_nothing(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    chat.ask(LONG)
    scroll_to(chat.page, 300)
    click(chat.composer)
    chat.page.keyboard.type("Thank you")
    chat.page.keyboard.press("Shift+Enter")
    chat.page.keyboard.press("Backspace")
    assert scroll_of(chat.page) == 300
    chat.page.keyboard.press("ControlOrMeta+k")
    expect(chat.page.locator("#palette")).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(chat.composer).to_be_focused()
    assert scroll_of(chat.page) == 300


def test_the_answer_that_is_read_is_no_news_below(chat: ChatPage) -> None:
    chat.send("/long 4000 200")
    chat.page.wait_for_function(GROWN, arg=1600)
    jump = chat.page.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_visible()
    chat.page.wait_for_function(GROWN, arg=2000)
    expect(jump).not_to_have_attribute("data-news", "")
    chat.press_stop()


def test_what_gets_the_focus_is_not_behind_the_composer(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    chat.ask(LONG)
    chat.ask("And then?")
    scroll_to(chat.page, 300)
    chat.page.locator(".question").first.get_by_role("button", name="Edit question").focus()
    for _ in range(30):
        chat.page.keyboard.press("Tab")
        focused, dock = (
            chat.page.evaluate(f"{element}.getBoundingClientRect().toJSON()")
            for element in ("document.activeElement", "document.querySelector('.composer-dock')")
        )
        if chat.page.evaluate("document.activeElement.closest('.composer-dock') !== null"):
            break
        assert focused["bottom"] <= dock["top"]
    else:
        pytest.fail("The composer was never reached")


def test_what_is_written_in_the_widget_moves_nothing(visit: Callable[..., WidgetPage]) -> None:
    widget = visit()
    widget.open()
    widget.ask(LONG)
    frame = widget.page.frames[1]
    frame.evaluate("scrollTo({ top: 200, behavior: 'instant' })")
    click(widget.composer)
    widget.page.keyboard.type("Thank you")
    assert frame.evaluate("scrollY") == 200


def test_after_stop_the_caret_is_in_the_message_box(chat: ChatPage) -> None:
    chat.start_answer()
    chat.press_stop()
    chat.wait_for_end()
    chat.page.keyboard.type("Shorter")
    expect(chat.composer).to_have_value("Shorter")
