"""Search on its page and in the palette, and open a result."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import DESKTOP, sign_in
from tests.browser.history import conversation
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

START = "/chat/"
EMAIL = "sarah@example.org"
MARKED = """Array.from(CSS.highlights.get("hit"), (range) => {
  return { text: range.toString(), top: range.getBoundingClientRect().top };
})"""


@pytest.fixture(scope="module")
def sarah(
    site: LiveSite, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> StorageState:
    """Create a member with a long chat that mentions a quokka early on."""
    state = sign_in(site, EMAIL)
    answers = [
        f"Answer **{number}** about the river.\n\n" + "More of it. " * 60 for number in range(70)
    ]
    answers[4] += "\n\n" + "More of it. " * 600
    answers[4] += "\n\nA *quokka*, <img src=x onerror=alert(1)> and 東京都庁."
    answers[5] += "\n\nThe settings of the pump."
    conversation(site, tmp_path_factory.mktemp("answers"), EMAIL, answers)
    return state


@pytest.fixture
def search(open_page: Callable[..., Page], sarah: StorageState) -> Callable[..., Page]:
    def search(query: str, **options: Any) -> Page:
        return open_page(f"/chat/search/?q={query}", **{"storage_state": sarah} | options)

    return search


def arrived(page: Page) -> None:
    """Check that the word at the end of a long answer is in view and marked, and its turn focused."""
    found = page.locator(".exchange[data-found=words]")
    expect(found).to_be_focused()
    expect(found.locator(".answer .formatted")).to_contain_text("quokka")
    page.wait_for_timeout(1500)  # what is near has got its form
    (marked,) = page.evaluate(MARKED)
    assert marked["text"] == "quokka"
    assert 0 < marked["top"] < DESKTOP["height"] / 2


def test_a_result_leads_to_its_place_in_a_long_chat(search: Callable[..., Page]) -> None:
    page = search("quokka")
    expect(page.locator(".search-hits > li")).to_have_count(1)
    expect(page.locator(".search-hits mark")).to_have_text("quokka")
    page.locator(".search-hits a").click()
    ChatPage(page)
    arrived(page)


def test_a_command_stays_chosen_when_messages_with_the_word_arrive(
    open_chat: Callable[..., ChatPage], sarah: StorageState
) -> None:
    page = open_chat(storage_state=sarah).page
    page.keyboard.press("Control+k")
    field = page.locator("#palette-field")
    field.press_sequentially("settings")
    expect(page.get_by_role("group", name="Messages").get_by_role("option")).to_have_count(2)
    active = page.locator("#palette-list [aria-selected=true]")
    expect(active).to_have_text("Settings")
    field.press("Enter")
    page.wait_for_url("**/settings/**")


@pytest.mark.quick
def test_the_palette_shows_messages_and_links_to_all_results(
    open_chat: Callable[..., ChatPage], sarah: StorageState
) -> None:
    page = open_chat(storage_state=sarah).page
    page.keyboard.press("Control+k")
    field = page.locator("#palette-field")
    field.press_sequentially("river")
    messages = page.get_by_role("group", name="Messages").get_by_role("option")
    expect(messages).to_have_count(6)
    expect(messages.first.locator("mark")).to_have_text("river")
    field.fill("quokka")
    expect(messages).to_have_count(2)
    assert page.locator("#palette img").count() == 0
    field.press("Enter")
    page.wait_for_url("**/?at=*")
    arrived(page)
    page.keyboard.press("Control+k")
    field.fill("東京")
    expect(messages).to_have_count(2)
    field.press("ArrowDown")
    field.press("Enter")
    page.wait_for_url("**/chat/search/?q=*")
    expect(page.locator(".search-hits mark")).to_have_text("東京")


def test_searching_and_paging_work_without_scripts(search: Callable[..., Page]) -> None:
    page = search("", java_script_enabled=False)
    page.get_by_role("searchbox").fill("river")
    page.keyboard.press("Enter")
    expect(page.locator(".search-hits > li")).to_have_count(20)
    page.get_by_role("link", name="More results").click()
    expect(page.locator(".search-hits > li")).to_have_count(20)
    page.get_by_role("searchbox").fill("quokka")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Question 0").click()
    expect(page.locator(".answer:target")).to_be_in_viewport()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_search_page_is_accessible(
    search: Callable[..., Page], theme: str, language: str
) -> None:
    page = search("river", color_scheme=theme, locale=language, **BARE)
    assert axe(page) == []
    page.goto("/chat/search/?q=nothinglikeit&order=best")
    assert axe(page) == []


@pytest.mark.parametrize("width", [320, 390])
def test_the_search_page_fits_a_phone(search: Callable[..., Page], width: int) -> None:
    page = search("river", **(PHONE | {"viewport": {"width": width, "height": 700}}))
    assert overflow(page) <= 0
    assert too_small(page) == []
