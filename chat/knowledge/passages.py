r"""Split the text of a document into passages, which are what is found and cited. Pure functions.

A passage is some paragraphs of one page below one heading. It ends where a page or a section ends,
or when it is long enough; a longer paragraph is split between its lines, its sentences or, at last,
its words. Lengths are in bytes, because those say how many tokens a text has in any script.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from chat.documents.reader.anchors import anchor_in
from chat.documents.reader.pdf import MARK
from chat.lib.worker_thread import Steps

TARGET_BYTES = 1200  # about 300 tokens in English
#: A passage of this length ends with its paragraph.
ENOUGH_BYTES = 700
MAX_PIECE_BYTES = 1600
CONTEXT_CHARACTERS = 300
#: They take a few milliseconds at most.
LINES_AT_ONCE = 500

_PAGE = re.compile(re.escape(MARK).replace(r"\{number\}", r"(\d{1,6})"))
_HEADING = re.compile(r"(#{1,6}) {1,3}(\S.*)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_TABLE_RULE = re.compile(r"\|[ :|-]{2,}")
_SENTENCE_END = re.compile(r"[.!?؟۔…]['\"”’)\]]{0,3}\s|[。！？｡]")
_SPACE = re.compile(r"\s")


class Passage(Struct, frozen=True, array_like=True):
    """A part of a text, from `start` to `end`, in characters.

    `page` is that of a PDF, 0 for other documents. `context` is what stands above it: the titles of
    its sections and, inside a table, the names of the columns. `anchor` is that of the nearest
    heading above on a web page.
    """

    start: int
    end: int
    page: int = 0
    context: str = ""
    anchor: str = ""


class _Line(Struct, frozen=True):
    start: int
    end: int  # without the line's end
    text: str


def split(text: str) -> Steps[list[Passage]]:
    """Return the passages of a text, in its order. They don't overlap."""
    found = []
    for section in _sections(text):
        for passage in _of_section(text, section) if section else ():
            if passage and (trimmed := _trimmed(text, passage)):
                found.append(trimmed)
            yield
        yield
    return found


def _sections(text: str) -> Iterator[Passage | None]:
    """Yield the parts between headings and marks of pages, without the marks and anchors.

    None is a pause, also in `_of_section`.
    """
    page, titles, anchor, start, is_code = 0, [""] * 7, "", 0, False
    for number, line in enumerate(_lines(text), 1):
        if number % LINES_AT_ONCE == 0:
            yield None
        is_code ^= bool(_FENCE.match(line.text))
        mark = _PAGE.fullmatch(line.text)
        heading = None if is_code else _HEADING.fullmatch(line.text)
        named = "" if is_code else anchor_in(line.text)
        if not mark and not heading and not named:
            continue
        yield Passage(start, line.start, page, _path(titles), anchor)
        start = line.start
        if mark:
            page, start = int(mark[1]), line.end
        elif named:
            anchor, start = named, line.end
        elif heading:
            level = len(heading[1])
            titles[level:] = [heading[2].strip(" #"), *[""] * (6 - level)]
    yield Passage(start, len(text), page, _path(titles), anchor)


def _path(titles: list[str]) -> str:
    return " › ".join(filter(None, titles))[:CONTEXT_CHARACTERS]


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, start + len(line.rstrip("\r\n")), line.rstrip())
        start += len(line)


def _of_section(text: str, section: Passage) -> Iterator[Passage | None]:
    """Yield passages of about the wanted length, made of whole pieces."""
    start, size = section.start, 0
    columns = row_before = ""
    for number, (first, last) in enumerate(_pieces(text, section.start, section.end), 1):
        if number % LINES_AT_ONCE == 0:
            yield None
        piece = text[first:last].strip()
        length = len(piece.encode())
        is_enough = size > ENOUGH_BYTES and not piece
        if size and (is_enough or size + length > TARGET_BYTES):
            yield _passage(section, start, first, columns)
            start, size = first, 0
        if _TABLE_RULE.fullmatch(piece):
            columns = row_before
        elif not piece.startswith("|"):
            columns = ""
        row_before = piece
        size += length
    yield _passage(section, start, section.end, columns)


def _passage(section: Passage, start: int, end: int, columns: str) -> Passage:
    context = " › ".join(filter(None, (section.context, columns)))[:CONTEXT_CHARACTERS]
    return Passage(start, end, section.page, context, section.anchor)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what is kept together: lines, or parts of long ones."""
    place = start
    for line in text[start:end].splitlines(keepends=True):
        if len(line.encode()) <= MAX_PIECE_BYTES:
            yield place, place + len(line)
        else:
            yield from ((place + first, place + last) for first, last in _parts(line))
        place += len(line)


def _parts(line: str) -> Iterator[tuple[int, int]]:
    """Split a long line between sentences, and a long sentence between words."""
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    for first, last in pairwise(dict.fromkeys([0, *ends, len(line)])):
        while _is_long(line, first, last):
            cut = _cut(line, first)
            yield first, cut
            first = cut
        yield first, last


def _is_long(line: str, first: int, last: int) -> bool:
    """Return whether this part is longer than a piece, without reading all of a very long one."""
    return last - first > MAX_PIECE_BYTES or len(line[first:last].encode()) > MAX_PIECE_BYTES


def _cut(line: str, first: int) -> int:
    """Return where a sentence is cut that is too long: after a space, if there is one."""
    most = line[first : first + MAX_PIECE_BYTES].encode()[:MAX_PIECE_BYTES]
    length = max(1, len(most.decode(errors="ignore")))
    spaces = [match.end() for match in _SPACE.finditer(line, first, first + length)]
    return spaces[-1] if spaces else first + length


def _trimmed(text: str, passage: Passage) -> Passage | None:
    """Return the passage without surrounding spaces; None if it has no letter or digit."""
    content = text[passage.start : passage.end]
    if not any(map(str.isalnum, content)):
        return None
    start = passage.start + len(content) - len(content.lstrip())
    return replace(passage, start=start, end=passage.start + len(content.rstrip()))


def text_with_context(name: str, text: str, passage: Passage) -> str:
    """Return a passage of a document with what says where it stands, to be found by both."""
    title = " › ".join(filter(None, (name, passage.context)))
    return f"{title}\n{text[passage.start : passage.end]}"
