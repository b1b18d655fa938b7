"""Show a part of a document's text around a passage: a page of a PDF, or some pages' worth."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from chat.documents.reader.pdf import MARK

#: Of a part. Browsers lay so much out in a moment.
MAX_PART_CHARS = 60_000
#: A part begins so much before the passage, where pages don't say where.
CHARS_BEFORE = 10_000

_PAGE = re.compile("^" + re.escape(MARK).replace(r"\{number\}", r"(\d{1,6})") + "\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text: what is before the passage in it, the passage, and what follows.

    `page` is that of a PDF, otherwise 0. `previous` and `next` are where the neighbouring parts
    begin; None if there are none.
    """

    before: str
    passage: str
    after: str
    page: int
    previous: int | None
    next: int | None


class _Section(NamedTuple):
    start: int
    end: int
    page: int


def part_around(text: str, start: int, end: int, *, has_pages: bool) -> TextPart:
    """Return the part that has this passage; the beginning if it is nowhere in the text."""
    if not 0 <= start < end <= len(text):
        return part_from(text, 0, has_pages=has_pages)
    sections = _sections(text, has_pages=has_pages)
    number = _number_of(sections, start)
    first, last, _page = sections[number]
    begin = first
    if last - first > MAX_PART_CHARS:
        begin = text.rfind("\n", first, max(first, start - CHARS_BEFORE)) + 1 or first
    return _part(text, sections, number, begin, (start, end))


def part_from(text: str, start: int, *, has_pages: bool) -> TextPart:
    """Return the part that begins there; the first one if that is nowhere in the text."""
    sections = _sections(text, has_pages=has_pages)
    start = start if 0 <= start < len(text) else 0
    number = _number_of(sections, start)
    return _part(text, sections, number, max(start, sections[number].start), (0, 0))


def _sections(text: str, *, has_pages: bool) -> list[_Section]:
    """Return the pages without their marks, or the whole text."""
    marks = list(_PAGE.finditer(text)) if has_pages else []
    if not marks:
        return [_Section(0, len(text), 0)]
    starts = [mark.start() for mark in marks]
    ends = [end for _start, end in pairwise([*starts, len(text)])]
    return [_Section(mark.end(), end, int(mark[1])) for mark, end in zip(marks, ends, strict=True)]


def _number_of(sections: list[_Section], place: int) -> int:
    return max(0, bisect_right([each.start for each in sections], place) - 1)


def _part(
    text: str, sections: list[_Section], number: int, begin: int, passage: tuple[int, int]
) -> TextPart:
    first, last, page = sections[number]
    stop = min(last, begin + MAX_PART_CHARS)
    if stop < last:
        stop = text.rfind("\n", begin + MAX_PART_CHARS // 2, stop) + 1 or stop
    start, end = (min(max(place, begin), stop) for place in passage)
    previous = max(first, begin - MAX_PART_CHARS) if begin > first else None
    if previous is None and number > 0:
        previous = sections[number - 1].start
    following = stop if stop < last else None
    if following is None and number + 1 < len(sections):
        following = sections[number + 1].start
    texts = text[begin:start], text[start:end], text[end:stop]
    return TextPart(*texts, page, previous, following)
