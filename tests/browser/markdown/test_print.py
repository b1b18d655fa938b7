"""Printing a conversation: all of it, formatted, dark on light, without controls."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import history
from tests.browser.server import LiveSite


def test_a_printed_conversation_is_complete_and_dark_on_light(
    site: LiveSite, open_page: Callable[..., Page], signed_in: StorageState, tmp_path: Path
) -> None:
    answers = [f"**Number {number}**\n\n" + "All rivers run.\n\n" * 30 for number in range(12)]
    path = history.conversation(site, tmp_path, "alice@example.org", answers)
    page = open_page(path, storage_state=signed_in, color_scheme="dark")
    formatted = page.locator(".answer > .message-text.formatted strong")
    expect(formatted.last).to_have_text("Number 11")
    assert formatted.count() < len(answers)  # what is far away waits
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(formatted).to_have_count(len(answers))
    page.emulate_media(media="print")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(251, 250, 247)"
    expect(page.get_by_role("button")).to_have_count(0)


@pytest.mark.long
def test_paper_says_which_chat_it_is_and_from_which_day(
    site: LiveSite, open_page: Callable[..., Page], signed_in: StorageState, tmp_path: Path
) -> None:
    path = history.conversation(site, tmp_path, "alice@example.org", ["Water"])
    page = open_page(path, storage_state=signed_in)
    expect(page.locator(".print-date")).to_be_hidden()
    page.emulate_media(media="print")
    title = page.get_by_role("heading", level=1)
    expect(title).to_be_in_viewport()
    box = title.bounding_box()
    assert box
    assert box["height"] > 20
    expect(page.locator(".print-date")).to_contain_text("Runnel · ")
    expect(page.locator(".print-date")).to_be_visible()


@pytest.mark.long
def test_paper_shows_what_is_folded_on_the_screen(
    site: LiveSite, open_page: Callable[..., Page], signed_in: StorageState, tmp_path: Path
) -> None:
    answer = "<details>\n<summary>More</summary>\n\nFolded.\n\n</details>"
    path = history.conversation(site, tmp_path, "alice@example.org", [answer])
    page = open_page(path, storage_state=signed_in)
    expect(page.get_by_text("Folded.")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.get_by_text("Folded.")).to_be_visible()
