"""A chat that fills its model's window shows what the model reads of its beginning."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site
from tests.support.generations.long_chats import FACT, LONG, SMALL, WRITER


@pytest.fixture(scope="module")
def summarising_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    folder = tmp_path_factory.mktemp("summarising")
    models = {"DEFAULT_MODEL": SMALL, "COMPACTION_MODEL": WRITER, "MAX_TOKENS": "200"}
    with live_site(folder, **models) as site:
        yield site


@pytest.mark.quick
def test_a_summary_appears_in_the_chat_and_stays_after_a_reload(
    summarising_site: LiveSite, browser: Browser
) -> None:
    state = sign_in(summarising_site, "tina@example.org")
    context = browser.new_context(base_url=summarising_site.url, storage_state=state)
    page = context.new_page()
    page.goto("/chat/")
    chat = ChatPage(page)
    for text in (FACT, "Go on.", "And on.", "And on."):
        chat.ask(f"{text}\n{LONG}")
    line = page.get_by_text("Earlier messages were summarised for the model")
    expect(line.filter(visible=True)).to_have_count(1)
    expect(page.get_by_text(f"“{FACT}”").filter(visible=True)).to_have_count(0)
    line.filter(visible=True).click()
    expect(page.get_by_text(f"“{FACT}”").filter(visible=True)).to_have_count(1)
    page.reload()
    expect(line.filter(visible=True)).to_have_count(1)
    context.close()
