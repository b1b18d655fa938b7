"""The text of a web page has the anchors of its headings."""

import pytest

from chat.documents.reader import anchors, web_page

P = "<p>Some words.</p>"


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ('<h2 id="a-b">A</h2>', ['<a id="a-b"></a>', "## A"]),
        ('<h2><a name="old"></a>A</h2>', ['<a id="old"></a>', "## A"]),
        ('<h2>A <a id="in" href="#in">¶</a></h2>', ['<a id="in"></a>', "## A"]),
        ('<h2><span><b id="deep">A</b></span></h2>', ['<a id="deep"></a>', "## **A**"]),
        ('<section id="s"><h2>A</h2></section>', ['<a id="s"></a>', "## A"]),
        ('<section id="s"><p>x</p><h2>A</h2></section>', ["x", "", "## A"]),
        ('<a id="before"></a><h2>A</h2>', ['<a id="before"></a>', "## A"]),
        ('<h2 id="\u00e4 b">A</h2>', ["## A"]),
        ('<h2 id="\u202ex">A</h2>', ["## A"]),
        ('<h2 id="&#34;&gt;%">A</h2>', ['<a id="%22%3E%25"></a>', "## A"]),
        (f'<h2 id="{"x" * 101}">A</h2>', ["## A"]),
        ('<h2 id="a"></h2>', []),
        ("<h2>\ue0005\ue001A</h2>", ["## A"]),
    ],
)
def test_a_heading_follows_its_anchor(html: str, lines: list[str]) -> None:
    page = web_page.read(f"<main>{html}{P}</main>".encode(), "utf-8", 1000)
    assert page.text.split("Some words.")[0].splitlines() == [*lines, ""][: 10 if lines else 0]
    assert "<a id" not in anchors.without(page.text)


def test_only_the_first_anchors_are_kept() -> None:
    html = "".join(f'<h2 id="a{number}">A</h2>' for number in range(600))
    page = web_page.read(f"<main>{html}{P}</main>".encode(), "utf-8", 100_000)
    assert page.text.count("<a id=") == anchors.MAX_ANCHORS
