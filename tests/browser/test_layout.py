"""Layout: narrow and wide, left-to-right and right-to-left, light and dark, mouse and touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.support.browser.layout import LONG_WORD, PHONE, height, overflow, too_small
from tests.support.variants import later

WIDTHS = [320, *later(390, 768, 1440)]


@pytest.mark.quick
@pytest.mark.parametrize("width", WIDTHS)
def test_the_chat_page_fits_the_window(
    open_chat: Callable[..., ChatPage], administrator: StorageState, width: int
) -> None:
    chat = open_chat(viewport={"width": width, "height": 700}, storage_state=administrator)
    assert overflow(chat.page) <= 0
    chat.ask(LONG_WORD)
    chat.ask("/error 4006")
    chat.composer.fill(LONG_WORD)
    assert overflow(chat.page) <= 0
    chat.page.get_by_role("button", name="Emulator").click()
    expect(chat.page.get_by_role("dialog")).to_be_visible()
    assert overflow(chat.page) <= 0


@pytest.mark.parametrize("language", ["fr", "es"])
def test_long_labels_fit_a_narrow_window(
    open_chat: Callable[..., ChatPage], administrator: StorageState, language: str
) -> None:
    window = {"width": 320, "height": 700}
    chat = open_chat(viewport=window, storage_state=administrator, locale=language)
    assert overflow(chat.page) <= 0
    chat.page.locator("#message").fill("Hola")
    chat.page.locator(".send-button").click()
    chat.page.locator(".answer[data-state=complete]").wait_for()
    assert overflow(chat.page) <= 0
    chat.page.locator("#open-models").click()
    expect(chat.page.locator("#model-menu")).to_be_visible()
    assert overflow(chat.page) <= 0


@pytest.mark.parametrize("width", WIDTHS)
def test_forms_fit_the_window(open_page: Callable[..., Page], width: int) -> None:
    page = open_page("/accounts/signup/", viewport={"width": width, "height": 700})
    assert overflow(page) <= 0


def test_text_at_200_percent_fits(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(viewport={"width": 640, "height": 700})
    chat.page.evaluate("document.documentElement.style.fontSize = '200%'")
    chat.ask("Why do rivers bend?")
    assert overflow(chat.page) <= 0


@pytest.mark.quick
def test_right_to_left_mirrors_the_page(chat: ChatPage) -> None:
    chat.page.evaluate("document.documentElement.dir = 'rtl'")
    chat.ask("לאן זורם הנהר?")
    bubble = chat.questions.locator(".message-text").bounding_box()
    brand = chat.page.get_by_role("link", name="Runnel").bounding_box()
    assert bubble
    assert brand
    assert bubble["x"] < 500 < brand["x"]
    assert overflow(chat.page) <= 0


#: As where the language is Arabic.
RIGHT_TO_LEFT = """() => {
  document.documentElement.dir = "rtl";
  document.querySelector("#message").placeholder = "اكتب رسالة";
}"""
#: By how much the text of the message box is wider than it, and its height in lines.
MESSAGE_BOX = """area => [
  area.scrollWidth - area.clientWidth,
  Math.floor(area.clientHeight / parseFloat(getComputedStyle(area).lineHeight)),
]"""


@pytest.mark.firefox
@pytest.mark.quick
def test_an_empty_message_box_from_right_to_left_is_one_line_high(chat: ChatPage) -> None:
    before = chat.composer.evaluate(MESSAGE_BOX)
    assert before == [0, 1]
    chat.page.evaluate(RIGHT_TO_LEFT)
    chat.composer.fill("x")
    chat.composer.fill("")
    assert chat.composer.evaluate(MESSAGE_BOX) == before


def test_each_paragraph_has_its_own_direction(chat: ChatPage) -> None:
    chat.ask("English first.\n\nואז עברית.")
    lines = chat.questions.locator("p").all()
    starts = [line.locator("span").evaluate(LEFT_OF_TEXT) for line in lines]
    assert starts[1] > starts[0] + 20


LEFT_OF_TEXT = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left - element.parentElement.getBoundingClientRect().left;
}"""


def test_the_dark_theme_is_dark(open_chat: Callable[..., ChatPage]) -> None:
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    assert open_chat(color_scheme="dark").page.evaluate(colour) == "rgb(22, 24, 23)"
    assert open_chat(color_scheme="light").page.evaluate(colour) == "rgb(251, 250, 247)"


@pytest.mark.quick
def test_every_control_is_large_enough_to_touch(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(**PHONE)
    assert too_small(chat.page) == []
    chat.composer.fill("/error 4006")
    chat.send_button.tap()
    chat.wait_for_end()
    assert too_small(chat.page) == []
    chat.page.get_by_role("button", name="Chats", exact=True).tap()
    chat.page.get_by_role("button", name="Account").tap()
    assert too_small(chat.page) == []


def test_enter_on_a_phone_inserts_a_line_break(open_chat: Callable[..., ChatPage]) -> None:
    chat = open_chat(**PHONE)
    expect(chat.composer).not_to_be_focused()
    chat.composer.tap()
    chat.page.keyboard.type("one")
    chat.page.keyboard.press("Enter")
    chat.page.keyboard.type("two")
    expect(chat.composer).to_have_value("one\ntwo")
    expect(chat.questions).to_have_count(0)


def test_the_composer_grows_to_eight_lines(chat: ChatPage) -> None:
    one = height(chat)
    chat.composer.fill("line\n" * 3 + "line")
    four = height(chat)
    chat.composer.fill("line\n" * 50)
    many = height(chat)
    assert four == pytest.approx(one + 3 * 26, abs=1)
    assert many == pytest.approx(one + 7 * 26, abs=1)


@pytest.mark.quick
def test_nothing_shifts_while_an_answer_streams(chat: ChatPage) -> None:
    chat.ask("/long 60")
    chat.page.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value;
          }).observe({ type: "layout-shift" });
        }"""
    )
    chat.page.wait_for_timeout(600)  # shifts right after input do not count
    chat.ask("/long 400")
    assert chat.page.evaluate("window.shift") == 0


@pytest.mark.quick
def test_a_sent_message_stays_in_place_while_its_answer_grows(chat: ChatPage) -> None:
    chat.ask("/long 500")
    chat.send("/long 2500")
    chat.wait_for_text(100)
    question = chat.questions.last
    top = question.bounding_box()
    assert top
    assert top["y"] == pytest.approx(72, abs=4)  # below the header
    chat.wait_for_end()
    assert question.bounding_box() == top
    jump = chat.page.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_visible()
    chat.page.mouse.move(600, 300)
    chat.page.mouse.wheel(0, 100_000)
    expect(jump).to_be_hidden()
    chat.page.mouse.wheel(0, -400)
    expect(jump).to_be_visible()
    jump.click()
    assert distance_from_end(chat.page) < 60
    chat.ask("Short")
    assert chat.questions.last.bounding_box() == top
    expect(jump).to_be_hidden()


def test_what_gets_the_focus_is_not_behind_the_composer(chat: ChatPage) -> None:
    chat.ask("/long 700")
    chat.composer.fill("line\n" * 8)
    copy = chat.last_answer.get_by_role("button", name="Copy answer")
    copy.focus()
    chat.page.mouse.wheel(0, -2000)
    chat.composer.focus()
    copy.focus()
    dock = chat.page.locator(".composer-dock").bounding_box()
    box = copy.bounding_box()
    assert dock
    assert box
    assert box["y"] + box["height"] <= dock["y"]


def test_of_a_long_message_the_end_stays_in_place(chat: ChatPage) -> None:
    chat.send("\n".join(["A line"] * 100))
    chat.wait_for_end()
    question = chat.questions.last.bounding_box()
    assert question
    assert 200 < question["y"] + question["height"] < 500


def test_the_end_stays_in_view_until_the_reader_scrolls_away(chat: ChatPage) -> None:
    chat.page.goto("/settings/")
    chat.page.get_by_label("Follow the answer").check()
    expect(chat.page.locator("#saved")).to_have_text("Saved.")
    chat.page.goto("/chat/")
    chat.ask("/long 500")
    chat.send("/long 2500")
    chat.wait_for_text(400)
    assert distance_from_end(chat.page) < 60
    jump = chat.page.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_hidden()

    chat.page.mouse.move(600, 300)
    chat.page.mouse.wheel(0, -400)
    expect(jump).to_be_visible()
    before = chat.page.evaluate("scrollY")
    chat.page.wait_for_timeout(300)
    assert chat.page.evaluate("scrollY") == before

    jump.click()
    expect(jump).to_be_hidden()
    assert distance_from_end(chat.page) < 60
    chat.wait_for_end()
    assert distance_from_end(chat.page) < 60


def distance_from_end(page: Page) -> float:
    pixels: float = page.evaluate(
        "document.documentElement.scrollHeight - scrollY - document.documentElement.clientHeight"
    )
    return pixels
