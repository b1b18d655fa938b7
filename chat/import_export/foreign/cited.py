"""The web pages and files that another program's answer cites: sources of the answer here.

A reader marks the places in an answer's text. The numbers are given when the answer is whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from chat.import_export.file_format import MAX_ADDRESS_CHARS, MAX_SOURCES, ExportedSource
from chat.import_export.foreign.values import field_of, text_of
from chat.knowledge.models import DOCUMENT_NAME_LENGTH
from chat.lib.text import one_line

#: Sources that one place cites; a file could repeat a place with thousands of them.
MAX_AT_ONCE = 9
#: What stands for citations in a message; a file could make a long text of short ones.
MAX_ADDED_CHARS = 200_000
#: A place that cites a source, by its number in its message. Texts have no other NUL by then.
MARK = re.compile("\0(\\d{1,6})\0")
#: What a text may have itself that looks like citations: [1], [1, 2], [1-3].
LITERAL = re.compile(r"\[[\d\s,–-]{1,160}\]")
RANGE = re.compile(r"(\d+)(?:\s?[-–]\s?(\d+))?")


@dataclass(slots=True, frozen=True)
class ForeignSource:
    """A page or a file; `number` is its number if the text already has one for it."""

    name: str
    address: str = ""
    number: int = 0

    @property
    def key(self) -> str:
        return self.address or self.name


class Citations:
    """The sources of a message, and the marks for them in its text."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._room = MAX_ADDED_CHARS
        self.sources: list[ForeignSource] = []

    def marks(self, sources: Iterable[ForeignSource]) -> str:
        """Return what stands for a citation of these sources."""
        return self.added(
            "".join(f"\0{self._place(each)}\0" for each in list(sources)[:MAX_AT_ONCE])
        )

    def added(self, text: str) -> str:
        """Return what is put into the text in the place of something else, if there is room."""
        self._room -= len(text)
        return text if self._room >= 0 else ""

    def _place(self, source: ForeignSource) -> int:
        place = self._places.setdefault(source.key, len(self.sources))
        if place == len(self.sources):
            self.sources.append(source)
        return place


def source_of(value: Any, *, number: int = 0) -> ForeignSource | None:
    """Return the source that an object describes by its address; None without one."""
    address = text_of(field_of(value, "url", "link")).strip()
    if not address.startswith(("https://", "http://")) or len(address) > MAX_ADDRESS_CHARS:
        return None
    name = text_of(field_of(value, "title", "name", "attribution"))
    return named_source(name or address, address, number)


def file_of(value: Any) -> ForeignSource | None:
    """Return the file that an object names; None without a name."""
    name = text_of(field_of(value, "name", "filename", "title"))
    return named_source(name) if name.strip() else None


def named_source(name: str, address: str = "", number: int = 0) -> ForeignSource:
    return ForeignSource(one_line(name)[:DOCUMENT_NAME_LENGTH], one_line(address), number)


def sources_in(values: Iterable[Any]) -> Iterator[ForeignSource]:
    return filter(None, map(source_of, values))


class NumberedSources:
    """The sources of a whole answer. Numbers that its texts have in brackets aren't given."""

    def __init__(self, texts: Iterable[str], lists: Iterable[Sequence[ForeignSource]]) -> None:
        every = {each.key: each for sources in lists for each in sources}
        self._sources = {each.number: each for each in every.values() if each.number}
        taken = _literal_numbers(texts) | {*self._sources} if every else set()
        free = (each for each in range(1, MAX_SOURCES + 1) if each not in taken)
        unnumbered = (each for each in every.values() if not each.number)
        self._sources.update(zip(free, unnumbered, strict=False))
        self._numbers = {each.key: number for number, each in self._sources.items()}

    def in_place(self, text: str, sources: Sequence[ForeignSource]) -> str:
        """Return a message's text with numbers in the place of its marks."""

        def number(mark: re.Match[str]) -> str:
            place = int(mark[1])
            known = self._numbers.get(sources[place].key) if place < len(sources) else None
            return f"[{known}]" if known else ""

        return MARK.sub(number, text) if sources else text

    def exported(self) -> list[ExportedSource] | None:
        """Return them by number; None if there are none."""
        return [
            ExportedSource(number=number, name=each.name, address=each.address)
            for number, each in sorted(self._sources.items())
        ] or None


def _literal_numbers(texts: Iterable[str]) -> set[int]:
    """Return the numbers that texts have in brackets. Ranges are counted by their ends."""
    changes = [0] * (MAX_SOURCES + 2)
    for literal in (each[0] for text in texts for each in LITERAL.finditer(text)):
        for first, last in RANGE.findall(literal):
            begin = int(first)
            end = min(int(last or first), MAX_SOURCES)
            if begin <= end:
                changes[begin] += 1
                changes[end + 1] -= 1
    return {number for number, open_ranges in enumerate(accumulate(changes)) if open_ranges}
