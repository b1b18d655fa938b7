"""HTML whose parsing takes quadratic time is refused before it is parsed; real pages are read."""

import pytest

from chat.documents.errors import DocumentUnreadable
from chat.documents.reader.open_elements import MAX_OPEN, has_too_many
from chat.documents.reading import read_document, read_web_page

HOSTILE = "<div><b>" * 8_000  # a second; for ten times as many it would be two minutes
CURVE = '<g><path d="M0 0L1 1"/><text x=1>One</text></g>'
ROW = "<tr><td><font color=red>One<br><td>Two<p>Three</font>"


NESTED = {
    "nested": "<div><b>",
    "one is closed": "<B><DIV></b>",
    "closed by others": "<div></x></p>",
    "formatting": "<b a=1><p>",
    "formatting that the paragraph leaves": "<p><b></p>",
    "closed in quotes": """<div title="</div>"><b title='</b>'>""",
    "closed in a comment": "<div><b><!--</b></div>-->",
    "closed in a script": "<div><b><script></b></div></script>",
    "closed in a field": "<div><b><textarea></b></div></textarea>",
    "closed where ends are ignored": "<div><b><select></b></div></select>",
    "closed in a table": "<div><b><table></b></div></table>",
    "other names that begin alike": "<x-a></x-b>",
    "a slash that ends nothing": "<div />",
    "closed in a drawing's text": "<svg><g><![CDATA[></g></svg>]]>",
}
ONCE = {
    "a comment that a script ends": f"<script><!--</script>{HOSTILE}-->",
    "a quote that a script ends": f'<script>a<b c="</script>{HOSTILE}">',
    "no drawing any more": f"<svg><div></div>{'<path/>' * 20_000}",
    "a slash in a value": f"<svg>{'<g a=x/>' * 20_000}",
}


@pytest.mark.parametrize(
    "page", [*(each * 20_000 for each in NESTED.values()), *ONCE.values()], ids=[*NESTED, *ONCE]
)
def test_elements_that_nobody_closes_are_too_many(page: str) -> None:
    assert has_too_many(page)


@pytest.mark.parametrize(
    "page",
    [
        f"<ul>{'<li>One<p>Two' * 50_000}</ul>",
        f"<table>{ROW * 30_000}</table>",
        "<div><b>" * (MAX_OPEN // 2) + "</b></div>" * (MAX_OPEN // 2),
        "1 < 2 << 3 <- 4" * 20_000,
        f"<svg>{CURVE * 30_000}</svg>",
        "<li><a href=/x><svg><use href='#a' /></svg> One</a>" * 20_000,
        "<p title='a > b'>One<br /><!-- Two --><i>Three</i>" * 20_000,
    ],
    ids=["list", "table", "deep", "text", "drawing", "icons", "comments"],
)
def test_long_pages_are_read(page: str) -> None:
    assert not has_too_many(page)


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-16-be"])
async def test_such_a_file_is_too_complex(charset: str) -> None:
    with pytest.raises(DocumentUnreadable, match="too_complex"):
        await read_document(HOSTILE.encode(charset), "a.html", 1000, "alice")


async def test_such_a_page_is_unreadable() -> None:
    assert not (await read_web_page(HOSTILE.encode(), "utf-8", 1000, "alice")).is_readable
