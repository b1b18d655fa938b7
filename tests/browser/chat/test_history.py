"""Earlier messages are shown at once as text, and formatted near the visible area."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.history import conversation
from tests.browser.server import LiveSite

ANSWER = "## Answer {}\n\nSome **bold** words about rivers.\n\n- one\n- two\n\n```py\nx = 1\n```\n"
FORMATTED = ".answer > .formatted"


def open_history(
    site: LiveSite, folder: Path, open_page: Callable[..., Page], state: StorageState, count: int
) -> Page:
    answers = [ANSWER.format(n) for n in range(count)]
    path = conversation(site, folder, "alice@example.org", answers)
    page = open_page(path, storage_state=state)
    ChatPage(page)
    return page


def test_distant_answers_are_not_formatted_yet(
    site: LiveSite, tmp_path: Path, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    page = open_history(site, tmp_path, open_page, signed_in, 45)
    expect(page.locator(".answer").last.locator("> .formatted h3")).to_have_text("Answer 44")
    assert page.locator(FORMATTED).count() < 20
    first = page.locator(".answer > .message-text").first
    expect(first).to_contain_text("## Answer 0")
    page.evaluate("scrollTo(0, 0)")
    expect(first.locator("h3")).to_have_text("Answer 0")
    assert page.locator(FORMATTED).count() < 40


def test_answers_near_the_window_are_formatted_and_get_buttons(
    site: LiveSite, tmp_path: Path, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    page = open_history(site, tmp_path, open_page, signed_in, 3)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.locator(FORMATTED)).to_have_count(3)
    page.get_by_role("button", name="Copy answer").first.click()
    expect(page.locator("#hint")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == ANSWER.format(0)
    assert "Llama 3.1 8B" in ChatPage(page).read_details()


def test_a_very_long_answer_is_shown_at_once_and_formatted_in_parts(
    site: LiveSite, tmp_path: Path, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    text = "".join(f"Paragraph **{n}**.\n\n" for n in range(3_000))
    page = open_page(
        conversation(site, tmp_path, "alice@example.org", [text]), storage_state=signed_in
    )
    expect(page.locator(f"{FORMATTED} > p")).to_have_count(3_000)
    expect(page.locator(f"{FORMATTED} > p").last).to_have_text("Paragraph 2999.")


@pytest.mark.quick
def test_a_loaded_conversation_can_be_continued(
    site: LiveSite, tmp_path: Path, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    page = open_history(site, tmp_path, open_page, signed_in, 2)
    chat = ChatPage(page)
    assert "emulator" in chat.ask("And then?")
    expect(chat.answers).to_have_count(3)
    page.reload()
    expect(chat.answers).to_have_count(3)


def test_printing_formats_everything(
    site: LiveSite, tmp_path: Path, open_page: Callable[..., Page], signed_in: StorageState
) -> None:
    page = open_history(site, tmp_path, open_page, signed_in, 60)
    page.emulate_media(media="print")
    expect(page.locator(".answer > .message-text").first).to_be_visible()
    assert page.locator(".answer > .message-text").first.bounding_box()
