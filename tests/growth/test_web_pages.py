"""The time to read a web page is linear, whatever is nested in it.

The process that reads one is ended in time, but few pages should need that.
"""

import pytest
from selectolax.lexbor import LexborHTMLParser

from chat.documents.reader import web_page
from tests.support.growth import assert_linear

#: Each is opened in the one before, as the elements in the links keep these open.
NESTED = [
    "<a href=x><marquee>",
    "<a href=x><marquee>word ",
    "<a href=x><marquee>¶",
    "<a href=x><marquee><i></i>",
    "<a href=x><table><tr><td>word",
    "<a href=x>word</a> ",
]


@pytest.mark.parametrize("unit", NESTED)
@pytest.mark.parametrize("end", ["", "x", "¶"])
def test_links_in_links_take_linear_time(unit: str, end: str) -> None:
    assert_linear(_reduced, lambda count: "<main>" + unit * count + end + "</main>")


def _reduced(page: str) -> None:
    web_page._reduce_links(LexborHTMLParser(page).css_first("main"))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('<p>See <a href="/x" title="t"><b>the</b> lake</a>.</p>', "See **the** lake.\n"),
        ("<p>Rain <a href=#a>¶</a> falls<a href=#b> </a>.</p>", "Rain falls.\n"),
        ("<p><a href=x><marquee>One <a href=y>two</a></marquee></a></p>", "One two\n"),
        ("<p><a href=x>a</a> <a href=y>12</a></p>", "a 12\n"),
    ],
)
def test_only_the_words_of_links_stay(page: str, text: str) -> None:
    web_page.load()
    assert web_page.read(page.encode(), "utf-8", 1000).text == text
