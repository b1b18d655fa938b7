"""The CommonMark examples are rendered as specified, even character by character."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.chat_page import ChatPage
from tests.browser.chromium import ROOT
from tests.browser.markdown_page import blocks, from_html, render

SPEC = ROOT / "node_modules/commonmark-spec/spec.txt"
EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)
#: HTML is shown as text on purpose; see test_markdown_safety.py.
OURS = re.compile(
    r"</?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|a|img|br|hr)\b[^>]*>", re.IGNORECASE
)


def examples() -> list[tuple[str, str]]:
    """Return the examples, as Markdown and HTML, whose Markdown contains no HTML."""
    text = SPEC.read_text().replace("→", "\t")
    found = EXAMPLE.findall(text)
    assert len(found) == 652
    return [
        (markdown, html)
        for markdown, html in found
        if not re.search(r"<[a-zA-Z/!?]", OURS.sub("", html)) and not has_html(markdown)
    ]


def has_html(markdown: str) -> bool:
    return bool(re.search(r"<(?:[a-zA-Z][\w-]*[\s/>]|/[a-zA-Z]|[!?])", markdown))


def share_of_equals(page: Page, chosen: list[tuple[str, str]], length: int) -> float:
    found = render(page, [markdown for markdown, _ in chosen], length)
    others = [
        (markdown, blocks(from_html(html)), blocks(trees))
        for (markdown, html), trees in zip(chosen, found, strict=True)
        if blocks(from_html(html)) != blocks(trees)
    ]
    for markdown, expected, shown in others:
        print(f"\n{markdown!r}\n  {expected}\n  {shown}")
    print(f"{len(chosen) - len(others)} of {len(chosen)}")
    return 1 - len(others) / len(chosen)


@pytest.mark.quick
@pytest.mark.parametrize("length", [1, 0], ids=["character by character", "at once"])
def test_commonmark_examples_are_rendered_as_specified(chat: ChatPage, length: int) -> None:
    assert share_of_equals(chat.page, examples(), length) >= 0.97
