"""An answer is read aloud sentence by sentence. The emulator's sounds last half a second."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import overflow

START = "/chat/"
SPEECH = "**/chat/speech/"
LONG = "/long 600"

MARKED = "[...CSS.highlights.get('reading-aloud') ?? []].map(String)"


@pytest.fixture(scope="module")
def odile(site: LiveSite) -> StorageState:
    return sign_in(site, "odile@example.org")


@pytest.fixture
def open_answer(open_chat: Callable[..., ChatPage], odile: StorageState) -> Callable[..., ChatPage]:
    def open_answer(text: str = LONG, **options: object) -> ChatPage:
        chat = open_chat(storage_state=odile, **options)
        chat.ask(text)
        return chat

    return open_answer


def read_aloud(chat: ChatPage, number: int = -1) -> Locator:
    """Have an answer read, and return the strip with the controls."""
    chat.answers.nth(number).get_by_role("button", name="More options").click()
    chat.page.locator("#turn-menu").get_by_role("button", name="Read aloud").click()
    return chat.page.get_by_role("group", name="Reading aloud")


def count_requests(page: Page) -> list[str]:
    """Return a list to which each sentence is added that the page asks for."""
    needs_request_bodies(page)
    asked: list[str] = []

    def note(text: str | None) -> None:
        asked.append(json.loads(text or "")["text"])

    page.on("request", lambda each: note(each.post_data) if "/chat/speech/" in each.url else None)
    return asked


def wait_for(page: Page, asked: list[str], count: int) -> None:
    while len(asked) < count:
        page.wait_for_timeout(50)


@pytest.mark.quick
def test_sentences_are_read_in_order_until_it_is_stopped(
    open_answer: Callable[..., ChatPage],
) -> None:
    chat = open_answer()
    page = chat.page
    asked = count_requests(page)
    strip = read_aloud(chat)
    expect(strip).to_be_visible()
    expect(chat.announcement).to_contain_text("Reading aloud")
    wait_for(page, asked, 4)
    marked = page.evaluate(MARKED)
    assert marked == [asked[-2]] or marked == [asked[-1]]
    strip.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(1000)
    paused = len(asked)
    page.wait_for_timeout(1500)
    assert len(asked) == paused
    strip.get_by_role("button", name="Resume").click()
    wait_for(page, asked, paused + 2)
    text = " ".join((chat.last_text.inner_text()).split())
    at = [text.index(each) for each in asked]
    assert at == sorted(at)
    assert at[0] == 0
    strip.get_by_role("button", name="Stop").click()
    expect(strip).to_have_count(0)
    expect(chat.last_answer.get_by_role("button", name="More options")).to_be_focused()
    stopped = len(asked)
    page.wait_for_timeout(1500)
    assert len(asked) == stopped
    assert page.evaluate(MARKED) == []


def test_it_ends_with_the_answer_and_remembers_the_speed(
    open_answer: Callable[..., ChatPage],
) -> None:
    chat = open_answer("/long 200")
    strip = read_aloud(chat)
    strip.get_by_label("Speed").select_option("2×")
    expect(strip).to_have_count(0)
    chat.page.reload()
    chat = ChatPage(chat.page)
    expect(read_aloud(chat).get_by_label("Speed")).to_have_value("2")


def test_another_answer_or_another_chat_ends_it(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer()
    chat.ask(LONG)
    asked = count_requests(chat.page)
    strip = read_aloud(chat, 1)
    wait_for(chat.page, asked, 2)
    read_aloud(chat, 0)
    expect(strip).to_have_count(1)
    chat.page.wait_for_timeout(1000)
    first = " ".join(chat.answers.first.inner_text().split())
    assert asked[-1] in first
    chat.page.get_by_role("link", name="New chat").first.click()
    expect(chat.answers).to_have_count(0)
    expect(strip).to_have_count(0)
    ended = len(asked)
    chat.page.wait_for_timeout(1500)
    assert len(asked) == ended


def test_another_answer_to_the_question_ends_it(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer()
    strip = read_aloud(chat)
    expect(strip).to_be_visible()
    chat.retry(0)
    expect(strip).to_have_count(0)


def test_a_temporary_chat_is_read_too(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer()
    chat.page.goto("/chat/temporary/")
    chat = ChatPage(chat.page)
    chat.ask(LONG)
    asked = count_requests(chat.page)
    read_aloud(chat)
    wait_for(chat.page, asked, 2)
    chat.page.get_by_role("button", name="More options").last.click()
    expect(chat.page.locator("#turn-menu button")).to_have_text("Read aloud")


@pytest.fixture
def failures(open_answer: Callable[..., ChatPage]) -> Callable[..., str]:
    chat = open_answer()

    def failures(**response: object) -> str:
        """Return what the page says about such a response."""
        chat.page.route(SPEECH, lambda route: route.fulfill(**response))  # type: ignore[arg-type]
        asked = count_requests(chat.page)
        strip = read_aloud(chat)
        expect(chat.hint).not_to_be_empty()
        expect(strip).to_have_count(0)
        chat.page.wait_for_timeout(500)
        assert len(set(asked)) == len(asked) <= 2  # one, and the one after it; none of them again
        return chat.hint.text_content() or ""

    return failures


def test_a_limit_is_said_in_words(failures: Callable[..., str]) -> None:
    error = {"code": "rate_limited", "message": "Too many requests. Wait 20 seconds."}
    body = json.dumps({"error": error})
    wait = {"Retry-After": "20"}
    said = failures(status=429, content_type="application/json", headers=wait, body=body)
    assert said == error["message"]


def test_what_cannot_be_played_is_said_in_words(failures: Callable[..., str]) -> None:
    assert "Couldn't read this aloud" in failures(content_type="audio/wav", body="no sound")


def test_a_lost_connection_is_said_in_words(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer()
    chat.page.route(SPEECH, lambda route: route.abort())
    strip = read_aloud(chat)
    expect(chat.hint).to_contain_text("Couldn't read this aloud")
    expect(strip).to_have_count(0)


@pytest.mark.parametrize("colours", COLOURS)
def test_the_strip_is_accessible_and_fits(
    open_answer: Callable[..., ChatPage], colours: dict[str, str]
) -> None:
    chat = open_answer(**BARE, **colours)
    strip = read_aloud(chat)
    strip.get_by_role("button", name="Pause").click()
    assert axe(chat.page) == []
    chat.page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(chat.page) <= 0


def test_an_answer_that_is_continued_is_read_on(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer("Hello")
    chat.start_answer()
    chat.wait_for_text(300)
    chat.press_stop()
    chat.wait_for_end()
    stopped = chat.last_text.text_content() or ""
    asked = count_requests(chat.page)
    read_aloud(chat).get_by_label("Speed").select_option("2×")
    chat.last_answer.get_by_role("button", name="Continue").click()
    while not asked or asked[-1] in stopped:
        chat.page.wait_for_timeout(50)
    chat.wait_for_end()
    assert asked[-1] in (chat.last_text.text_content() or "")


def test_a_dictation_ends_it(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer(permissions=["microphone"])
    strip = read_aloud(chat)
    expect(strip).to_be_visible()
    chat.page.get_by_role("button", name="Dictate").click()
    expect(strip).to_have_count(0, timeout=5000)  # the answer takes longer


def test_an_answer_of_code_has_nothing_to_read(open_answer: Callable[..., ChatPage]) -> None:
    chat = open_answer("Hello")
    chat.last_text.evaluate("text => text.replaceChildren(document.createElement('pre'))")
    chat.last_text.locator("pre").evaluate("code => code.append('print(1)')")
    strip = read_aloud(chat)
    expect(chat.hint).to_have_text("There is no text to read aloud in this answer.")
    expect(strip).to_have_count(0)
