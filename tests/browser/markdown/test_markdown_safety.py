"""Attacks in answers do not run and load nothing, even without Trusted Types or a policy."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chat_page import ChatPage
from tests.browser.markdown_page import elements_of, render
from tests.browser.payloads import PAYLOADS, dompurify_fixtures
from tests.support.browser.accessibility import BARE
from tests.support.browser.allowed_tags import HARMLESS
from tests.support.browser.markdown_safety import LISTEN, PRESS_EVERYTHING

ATTRIBUTES = {
    "aria-label", "aria-pressed", "checked", "class", "data-end", "data-language", "data-note",
    "dir", "disabled", "href", "rel", "role", "scope", "start", "tabindex", "target", "type",
}  # fmt: skip


def assault(page: Page, texts: list[str], length: int) -> None:
    """Render all attacks, click everything, and check that nothing ran."""
    home = page.url.partition("/chat/")[0]
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url))
    page.evaluate(LISTEN)
    title = page.title()
    for at in range(0, len(texts), 40):
        trees = render(page, texts[at : at + 40], length)
        for name, attributes in elements_of(each for tree in trees for each in tree):
            assert name in HARMLESS
            assert set(attributes) <= ATTRIBUTES
            href = attributes.get("href", "https:")
            assert href.startswith(("https:", "http:", "mailto:", "tel:")), href
    render(page, ["\n\n".join(texts[:60])], length)  # this one stays on the page
    page.evaluate(PRESS_EVERYTHING)
    page.wait_for_timeout(300)
    assert page.evaluate("window.attacks") == []
    assert page.title() == title
    assert [url for url in foreign if not url.startswith(f"{home}/static/")] == []


@pytest.fixture(params=["with the policy", "without any policy"])
def page(request: pytest.FixtureRequest, open_chat: Callable[..., ChatPage]) -> Page:
    options: dict[str, Any] = BARE if "without" in request.param else {}
    return open_chat(**options).page


@pytest.mark.parametrize("length", [0, 1], ids=["at once", "character by character"])
def test_our_attacks_are_shown_as_text(page: Page, length: int) -> None:
    assert len(PAYLOADS) >= 72
    assault(page, PAYLOADS, length)


@pytest.mark.parametrize(
    "length",
    [
        pytest.param(0, id="at once"),
        pytest.param(1, id="character by character", marks=pytest.mark.long),
    ],
)
def test_dompurifys_attacks_are_shown_as_text(page: Page, length: int) -> None:
    fixtures = dompurify_fixtures()
    assert len(fixtures) >= 150
    assault(page, fixtures, length)
