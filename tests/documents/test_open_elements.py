"""HTML whose parsing takes quadratic time is refused before it is parsed; real pages are read."""

import pytest

from chat.documents.errors import DocumentUnreadable
from chat.documents.reader.open_elements import MAX_OPEN, has_too_many
from chat.documents.reading import read_document, read_web_page

HOSTILE = "<div><b>" * 8_000  # a second; for ten times as many it would be two minutes
ROW = "<tr><td><font color=red>One<br><td>Two<p>Three</font>"


@pytest.mark.parametrize(
    "page",
    [HOSTILE, "<B><DIV></b>" * 20_000, "<div></x></p>" * 20_000, "<b a=1><p>" * 20_000],
    ids=["nested", "one is closed", "closed by others", "formatting"],
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
    ],
    ids=["list", "table", "deep", "text"],
)
def test_long_pages_are_read(page: str) -> None:
    assert not has_too_many(page)


async def test_such_a_file_is_too_complex() -> None:
    with pytest.raises(DocumentUnreadable, match="too_complex"):
        await read_document(HOSTILE.encode(), "a.html", 1000, "alice")


async def test_such_a_page_is_unreadable() -> None:
    assert not (await read_web_page(HOSTILE.encode(), "utf-8", 1000, "alice")).is_readable
