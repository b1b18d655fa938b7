"""After the server is killed or restarted during an answer, the page shows what is stored."""

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site

START = "/chat/"


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Start a site that tests may stop and restart."""
    with live_site(tmp_path_factory.mktemp("mortal")) as site:
        yield site


@pytest.fixture
def chat(mortal: LiveSite, browser: Browser, request: pytest.FixtureRequest) -> Iterator[ChatPage]:
    state = sign_in(mortal, f"{request.node.name[5:15]}@example.org")
    context = browser.new_context(base_url=mortal.url, storage_state=state)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("/chat/")
    yield ChatPage(page)
    context.close()


def test_after_a_kill_the_page_shows_the_stored_text_and_offers_to_continue(
    mortal: LiveSite, chat: ChatPage
) -> None:
    chat.send("/slow About the river.")
    chat.wait_for_text(25)
    mortal.end(signal.SIGKILL)
    expect(chat.last_answer).to_contain_text("Connection lost. Reconnecting…")
    mortal.start()
    expect(chat.outcome).to_contain_text("was interrupted")
    text = stored_text(chat.page)
    assert len(text) > 5
    expect(chat.last_text).to_have_text(text)  # no more and no less
    chat.page.get_by_role("button", name="Continue").click()
    chat.wait_for_text(len(text) + 10)
    assert (chat.last_text.text_content() or "").startswith(text)
    expect(chat.questions).to_have_count(1)


def test_a_message_sent_while_the_site_is_down_arrives_once(
    mortal: LiveSite, chat: ChatPage
) -> None:
    mortal.end(signal.SIGTERM)
    chat.send("Is anybody there?")
    chat.page.wait_for_timeout(700)
    mortal.start()
    assert "emulator" in chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_count(1)


def stored_text(page: Page) -> str:
    """Return the text of the last answer as stored on the server."""
    text: str = page.evaluate(
        """async () => {
          const response = await fetch(location.pathname, { headers: { Accept: "application/json" } });
          return (await response.json()).turns.at(-1).text;
        }"""
    )
    # The page splits paragraphs, so only words are compared.
    return text.replace("\n\n", "")
