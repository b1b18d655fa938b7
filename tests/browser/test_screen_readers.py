"""What screen readers announce, recorded from every live region of the page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.live_regions import listen, said


@pytest.mark.quick
def test_an_answer_is_announced_once_when_it_is_complete(chat: ChatPage) -> None:
    listen(chat)
    text = chat.ask("/long 200")
    heard = said(chat)
    assert heard[0] == "Replying…"
    assert heard[2:] == ["Answer complete."]
    assert letters(heard[1]) == letters(text)


def test_markup_is_not_announced(chat: ChatPage) -> None:
    listen(chat)
    chat.ask("/markdown")
    (text,) = said(chat)[1:-1]
    assert "It holds everything in CommonMark" in text
    assert "**everything**" not in text
    assert "](" not in text


@pytest.mark.quick
def test_an_error_is_announced_once_instead_of_an_answer(chat: ChatPage) -> None:
    listen(chat)
    chat.ask("/error 4006")
    heard = said(chat)
    assert heard[0] == "Replying…"
    assert len(heard) == 2
    assert "daily limit" in heard[1]


def test_a_stopped_answer_is_announced(chat: ChatPage) -> None:
    listen(chat)
    chat.start_answer()
    chat.press_stop()
    chat.wait_for_end()
    heard = said(chat)
    assert heard[:2] == ["Replying…", "Stopping…"]
    assert heard[-1] == "Stopped. The partial answer was saved."
    assert len(heard) == 4


@pytest.mark.parametrize("choice", ["Read each paragraph", "Announce only the start"])
def test_a_member_chooses_what_is_announced(
    site: LiveSite, open_page: Callable[..., Page], choice: str
) -> None:
    email = f"{choice[:4].lower()}-hears@example.org"
    page = open_page("/settings/", storage_state=sign_in(site, email))
    page.get_by_label(choice).check()
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.goto("/chat/temporary/")
    chat = ChatPage(page)
    listen(chat)
    text = chat.ask("/long 400")
    heard = said(chat)
    assert (heard[0], heard[-1]) == ("Replying…", "Answer complete.")
    if choice == "Announce only the start":
        assert len(heard) == 2
    else:
        paragraphs = [each for each in text.split("\n\n") if each.strip()]
        assert 2 < len(heard) <= 2 + max(len(paragraphs), 40)
        assert letters(" ".join(heard[1:-1])) == letters(text)


def test_announcements_are_removed_from_the_page(chat: ChatPage) -> None:
    chat.page.clock.install()
    chat.ask("Why do rivers bend?")
    expect(chat.announcement.locator("p")).not_to_have_count(0)
    chat.page.clock.run_for(11_000)
    expect(chat.announcement.locator("p")).to_have_count(0)


def test_the_transcript_does_not_announce_itself(chat: ChatPage) -> None:
    chat.ask("Why do rivers bend?")
    log = chat.page.get_by_role("log")
    expect(log).to_have_attribute("aria-live", "off")
    expect(log.get_by_role("article")).to_have_count(2)
    expect(log.get_by_role("heading", name="You asked")).to_have_count(1)
    expect(log.get_by_role("heading", name="Answer")).to_have_count(1)


def test_the_focus_stays_in_the_composer_when_an_answer_ends(chat: ChatPage) -> None:
    chat.send("/long 200")
    expect(chat.composer).to_be_focused()
    chat.wait_for_end()
    expect(chat.composer).to_be_focused()
    chat.send("/long 800")
    chat.page.get_by_role("button", name="Copy question").first.focus()
    chat.wait_for_end()
    expect(chat.page.get_by_role("button", name="Copy question").first).to_be_focused()


def letters(text: str) -> str:
    """Return the letters of a text, without markup, line breaks and numbers."""
    return "".join(character for character in text if character.isalpha())
