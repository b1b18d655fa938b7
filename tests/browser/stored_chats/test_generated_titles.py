"""The title that a model writes appears by itself, and one that somebody writes stays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site

QUESTION = "Why do rivers bend, and how long does it take them?"
TITLE = "Why do rivers bend and how"


@pytest.fixture(scope="module")
def naming_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Return a site whose chats a model names."""
    folder = tmp_path_factory.mktemp("naming")
    with live_site(folder, TITLE_MODEL="@cf/ibm-granite/granite-4.0-h-micro") as site:
        yield site


def test_a_title_appears_after_the_answer_and_can_be_replaced(
    naming_site: LiveSite, browser: Browser
) -> None:
    state = sign_in(naming_site, "tina@example.org")
    context = browser.new_context(base_url=naming_site.url, storage_state=state)
    page = context.new_page()
    page.goto("/chat/")
    chat = ChatPage(page)
    chat.ask(QUESTION)
    expect(chat.page).to_have_title(f"{TITLE} – Runnel")
    entry = chat.page.get_by_role("navigation").get_by_role("link", name=TITLE)
    expect(entry).to_have_count(1)
    chat.page.get_by_role("button", name=f"Rename {TITLE}").click()
    field = chat.page.get_by_role("textbox", name="Title of this chat")
    field.fill("Meanders")
    field.press("Enter")
    expect(chat.page).to_have_title("Meanders – Runnel")
    chat.ask("And lakes?")
    chat.page.reload()
    expect(chat.page).to_have_title("Meanders – Runnel")
    context.close()
