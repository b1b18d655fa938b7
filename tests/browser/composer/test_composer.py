"""The message box with huge texts, other writing directions and other keyboards."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.support.browser.layout import PHONE
from tests.support.patience import Stopwatch
from tests.support.variants import later

HUGE = 100 * 1024
WATCH = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask" });
}"""

INSERT = """(box, text) => {
  box.setRangeText(text, 0, 0, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
}"""


@pytest.mark.parametrize(
    "line", ["All rivers run into the sea.\n", "All rivers run into the sea. "]
)
def test_a_huge_text_does_not_freeze_the_page(chat: ChatPage, line: str) -> None:
    """A program put it there, such as an extension: one that is pasted becomes a file."""
    page = chat.page
    page.evaluate(WATCH)
    meanwhile = Stopwatch()
    chat.composer.focus()
    chat.composer.evaluate(INSERT, line * (HUGE // len(line)))
    page.wait_for_function("document.getElementById('message').value.length > 100_000")
    for letter in "and write on":
        page.keyboard.press(letter)
    page.wait_for_timeout(300)
    assert page.evaluate("window.longest") * meanwhile.free_share < 700
    assert chat.composer.input_value().endswith("and write on")
    box = chat.composer.bounding_box()
    assert box
    assert box["height"] < 250  # eight lines
    expect(chat.composer).to_have_attribute("dir", "auto")
    chat.composer.press("Enter")
    expect(chat.questions).to_have_count(1)
    expect(chat.composer).to_have_value("")


def test_the_box_follows_the_direction_of_the_text(
    open_chat: Callable[..., ChatPage],
) -> None:
    direction = "element => getComputedStyle(element).direction"
    for language, usual in (("en", "ltr"), ("ar", "rtl")):
        page = open_chat(locale=language).page
        box = page.locator("#message")
        assert box.evaluate(direction) == usual  # nothing is written: the page's
        box.fill("Where to?")
        assert box.evaluate(direction) == "ltr"
        box.fill("إلى أين؟")
        assert box.evaluate(direction) == "rtl"


@pytest.mark.firefox
@pytest.mark.quick
def test_typing_works_while_an_answer_streams(chat: ChatPage) -> None:
    chat.start_answer()
    chat.page.keyboard.type("And then?")
    expect(chat.composer).to_have_value("And then?")
    send, stop = chat.page.locator(".send-button"), chat.stop_button
    assert send.bounding_box() == stop.bounding_box()  # the same button, in place
    chat.press_stop()
    chat.wait_for_end()
    expect(chat.send_button).to_be_visible()


@pytest.mark.quick
def test_on_a_phone_the_keyboard_opens_only_on_request(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat(**PHONE)
    expect(chat.composer).not_to_be_focused()
    expect(chat.composer).to_have_attribute("enterkeyhint", "enter")
    size = chat.composer.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 16  # or iOS would zoom in


def test_the_box_has_a_ring_only_for_the_keyboard(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat()
    box = chat.page.locator("#composer")
    expect(chat.composer).to_be_focused()
    expect(box).to_have_css("box-shadow", "none")
    chat.page.keyboard.press("Tab")
    chat.page.keyboard.press("Shift+Tab")
    expect(chat.composer).to_be_focused()
    expect(box).not_to_have_css("box-shadow", "none")


@pytest.mark.parametrize("width", [320, 1280, *later(390)])
def test_an_empty_page_centres_the_box_and_offers_starters(
    open_chat: Callable[..., ChatPage], width: int
) -> None:
    chat = open_chat(viewport={"width": width, "height": 800})
    box = chat.composer.bounding_box()
    assert box
    assert 150 < box["y"] < 450
    starter = chat.page.get_by_role("button", name="Explain something")
    expect(starter).to_be_visible()
    starter.click()
    chat.wait_for_end()
    expect(starter).to_be_hidden()
    after = chat.composer.bounding_box()
    assert after
    assert after["y"] > 550
