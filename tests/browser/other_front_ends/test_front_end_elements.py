"""htmx and deep-chat, configured as in docs/front_ends.md, on another origin."""

import re
from collections.abc import Callable
from pathlib import Path

import django_htmx
import pytest
from playwright.sync_api import Page, expect

from tests.browser import front_ends
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.support.browser.front_ends import Run, state_in_the_end
from tests.support.browser.guides import block
from tests.support.servers.proxies import cutting
from tests.support.servers.server import ROOT

HTMX = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"
SSE = ROOT / "node_modules" / "htmx-ext-sse" / "sse.js"
QUESTION = "Where%20is%20New%20York%3F"
WORDS = "document.querySelector('[sse-connect]').textContent"


@pytest.fixture
def with_htmx(
    shop: HostSite, site: LiveSite, key: str, open_page: Callable[..., Page]
) -> Callable[..., Run]:
    """Open a page with the guide's htmx element, which sends `prompt`."""

    def open_it(prompt: str, chat: str = "") -> Run:
        chat = chat or site.url
        element = block("html", "htmx.html", "front_ends.md").replace(QUESTION, prompt)
        element = element.replace("https://chat.example.org", chat).replace("<site key>", key)
        front_ends.carry(shop, chat, HTMX.read_bytes() + b"\n" + SSE.read_bytes(), element)
        shop.body = shop.body.replace(' type="module"', "")  # htmx begins before the page is whole
        page = open_page("about:blank", watched=False)
        run = Run(page, site, shop, key)
        with page.expect_response(lambda response: "/chat/html?" in response.url):
            page.goto(shop.origin)
        return run

    return open_it


def expect_all(run: Run) -> None:
    """Check that the page has the text of the log, ignoring line breaks."""
    letters = re.sub("[^A-Za-z0-9]", "", run.log().text)
    run.page.wait_for_function(
        f"(letters) => {WORDS}.replace(/[^a-z0-9]/gi, '') === letters", arg=letters
    )


def test_htmx_inserts_a_whole_answer(with_htmx: Callable[..., Run]) -> None:
    run = with_htmx("/markdown")
    expect_all(run)
    run.page.wait_for_timeout(2500)  # it would ask again after a second
    assert len(run.generations) == 1


def test_htmx_resumes_after_a_broken_connection(
    site: LiveSite, with_htmx: Callable[..., Run]
) -> None:
    with cutting(site.url, after_bytes=5000) as proxy:
        run = with_htmx("/long%20300", proxy.url)
        run.page.wait_for_function(f"() => {WORDS}.length > 0")
        proxy.cut()
        expect_all(run)
        assert len(run.generations) >= 2
        assert len(set(run.generations)) == 1


def test_htmx_shows_errors(with_htmx: Callable[..., Run]) -> None:
    run = with_htmx("/error-after%2012")
    expect(run.page.get_by_role("alert")).to_have_text(run.log().key("error")["message"])


def test_htmx_does_not_run_html_in_an_answer(with_htmx: Callable[..., Run]) -> None:
    run = with_htmx("/hostile")
    expect_all(run)
    tags = run.page.evaluate(
        "[...document.querySelectorAll('[sse-connect] *')].map((each) => each.tagName)"
    )
    assert set(tags) <= {"BR"}


@pytest.fixture
def deep_chat(shop: HostSite, site: LiveSite, key: str, open_page: Callable[..., Page]) -> Run:
    element = block("html", "deep-chat.html", "front_ends.md")
    element = element.replace("https://chat.example.org", site.url).replace("<site key>", key)
    front_ends.carry(shop, site.url, front_ends.bundled(entry='import "deep-chat";'), element)
    shop.headers["Content-Security-Policy"] += " blob:; font-src data:"
    page = open_page("about:blank", watched=False)
    run = Run(page, site, shop, key)
    page.goto(shop.origin)
    return run


def say(run: Run, text: str) -> None:
    run.page.locator("#text-input").fill(text)
    run.page.keyboard.press("Enter")


def test_deep_chat_shows_an_answer_and_sends_the_conversation(deep_chat: Run) -> None:
    bubbles = deep_chat.page.locator(".ai-message-text")
    say(deep_chat, "Where is New York?")
    expect(bubbles.first).to_contain_text(re.compile("(1|one) message"))
    # Not the last words: deep-chat loses them if the response ends before it has shown them.
    assert deep_chat.log().key("state") == "complete"
    say(deep_chat, "And now?")
    expect(bubbles.nth(1)).to_contain_text("3 messages")


def test_deep_chat_shows_errors(deep_chat: Run) -> None:
    say(deep_chat, "/error-after 12")
    expect(deep_chat.page.locator(".error-message-text")).to_be_visible()


def test_deep_chat_stops_an_answer(deep_chat: Run) -> None:
    bubble = deep_chat.page.locator(".ai-message-text").first
    say(deep_chat, "/slow")
    expect(bubble).to_contain_text(re.compile(".{10}"))
    deep_chat.page.locator("#stop-icon").click()
    assert state_in_the_end(deep_chat) == "stopped"
