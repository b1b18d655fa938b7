"""A page of a PDF is drawn with a passage marked, by a process of its own."""

import zlib

import pytest

from chat.documents.errors import DocumentUnreadable
from chat.documents.reader.page_picture import PagePassage
from chat.documents.reading import draw_page
from tests.support.documents.samples import pdf

PAGES = pdf("The lake is calm", "Wind is rare here, wind in May")
YELLOW = b"\xff\xff\x64"
WIDTH, HEIGHT = 1200, 1600  # of its pages, drawn


def marked_places(picture: bytes) -> list[tuple[int, int]]:
    """Return the yellow pixels."""
    assert picture.startswith(b"\x89PNG")
    assert picture[16:24] == WIDTH.to_bytes(4) + HEIGHT.to_bytes(4)
    at = picture.index(b"IDAT")
    size = int.from_bytes(picture[at - 4 : at])
    rows = zlib.decompress(picture[at + 4 : at + 4 + size])
    stride = 1 + WIDTH * 3
    lines = (rows[row * stride + 1 : (row + 1) * stride] for row in range(HEIGHT))
    return [
        (place, row)
        for row, line in enumerate(lines)
        if YELLOW in line
        for place in range(WIDTH)
        if line[place * 3 : place * 3 + 3] == YELLOW
    ]


async def test_the_passage_is_marked_where_it_stands() -> None:
    passage = PagePassage(2, ["Wind is rare", "wind in May"])
    places = marked_places(await draw_page(PAGES, passage, "user:1"))
    left, right = min(places)[0], max(places)[0]
    assert 90 < left < 110  # the text begins 50 points from the left
    assert right < WIDTH / 2
    assert all(170 < row < 240 for _place, row in places)  # 700 of 800 points from below
    first = marked_places(await draw_page(PAGES, PagePassage(2, ["wind in May"]), "user:1"))
    assert min(first)[0] > left + 100


async def test_the_rest_of_a_line_with_a_divided_word_is_marked() -> None:
    content = pdf("There are many alterna-) Tj 0 -14 Td (tives to this way")
    passage = PagePassage(1, ["There are many alternatives to this way"])
    assert (
        len(
            {
                row // 28
                for _place, row in marked_places(await draw_page(content, passage, "user:1"))
            }
        )
        > 1
    )


@pytest.mark.parametrize("lines", [[], ["No such words"], ["is"]])
async def test_without_a_passage_nothing_is_marked(lines: list[str]) -> None:
    assert not marked_places(await draw_page(PAGES, PagePassage(1, lines), "user:1"))


@pytest.mark.parametrize(
    ("content", "page"), [(PAGES, 3), (PAGES, 0), (b"%PDF-1.4 broken", 1), (b"no PDF", 1)]
)
async def test_what_is_no_page_is_refused(content: bytes, page: int) -> None:
    with pytest.raises(DocumentUnreadable):
        await draw_page(content, PagePassage(page, ["The lake"]), "user:1")
