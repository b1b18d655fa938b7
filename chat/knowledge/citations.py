"""Keep citations in an answer that name a passage it was given, and drop others as it is written.

A citation is a number in square brackets, or several: [1], [1, 2], [1-3]. Some models write
【1†source】, which becomes [1]. Emphasis around citations goes with the last of them. In code, and
where a formula has an index, brackets with numbers mean something else and stay as they are.
"""

import re
from collections.abc import Iterator, Set

#: At most so much of an answer is held back until it is clear what it is.
MAX_HELD_CHARACTERS = 160

_RANGE = r"\d{1,3}(?:\s?[-–]\s?\d{1,3})?"
_NUMBERS = rf"{_RANGE}(?:\s{{0,2}},\s{{0,2}}{_RANGE}){{0,29}}"
_CITATION = rf"(?:\[{_NUMBERS}\](?!\()|【{_NUMBERS}(?:†[^】\n]{{0,40}})?】)"
_WITHIN = rf"(?:[ \u00a0]?{_CITATION}){{1,9}}[ \u00a0]?"
_TOKEN = re.compile(
    rf"(?P<ticks>`+|~{{3,}})|(?P<line>\n)|(?P<index>[{{_^\\]\[)|(?P<space>[ \u00a0]?)"
    rf"(?:\[(?P<numbers>{_NUMBERS})\](?!\()|【(?P<other>{_NUMBERS})(?:†[^】\n]{{0,40}})?】"
    rf"|(?<!\*)(?P<marks>\*{{1,3}})(?P<within>{_WITHIN})(?P=marks)(?!\*))"
)
#: The beginning of what `_TOKEN` matches, at the end of what has arrived.
_BEGUN = re.compile(
    r"(?<!`)`+$|(?<!~)~+$|[ \u00a0{_^\\]?(?:\[(?:\d[-–\d,\s]{0,140})?\]?|【[^】\n]{0,140})$"
    r"|[ \u00a0{_^\\]$"
    r"|[ \u00a0]?(?<!\*)\*++(?:[\[\]\d,\-– \u00a0【】]|†[^】\n]{0,40}(?:】|$)){0,140}+\*{0,3}+$"
)
_NAMED = re.compile(r"(\d+)(?:\s?[-–]\s?(\d+))?")
FENCE_TICKS = 3


class CitationFilter:
    """Reads an answer in pieces. `numbers` are those of the passages that it was given."""

    def __init__(self, numbers: Set[int]) -> None:
        self._numbers = numbers
        self.found: list[tuple[int, int]] = []  # the place in its piece, and the number
        self._held = ""
        self._fence = ""  # the ticks or tildes that opened code over several lines
        self._inline = ""  # or within one

    def allow(self, numbers: Set[int]) -> None:
        """Keep citations of these passages, too, from here on."""
        self._numbers = self._numbers | numbers

    def feed(self, piece: str) -> str:
        """Return what can be shown; the rest follows with a later piece, or is in `rest`."""
        text = self._held + piece
        end = _end_of_known(text)
        self._held = text[end:]
        return _TOKEN.sub(self.kept, text[:end])

    def rest(self) -> str:
        """Return what was held back, at the end of the answer."""
        held, self._held = self._held, ""
        return _TOKEN.sub(self.kept, held)

    def kept(self, match: re.Match[str]) -> str:
        """Return what remains of a part of the answer."""
        if ticks := match["ticks"]:
            self._note_ticks(ticks)
            return ticks
        if match["line"]:
            self._inline = ""
            return "\n"
        if self._fence or self._inline or match["index"]:
            return match[0]
        if match["marks"]:
            return self._emphasised(match)
        named = _named(match["numbers"] or match["other"])
        kept = [number for number in named if number in self._numbers]
        self.found += ((match.end("space"), number) for number in kept)
        return match["space"] + "".join(f"[{number}]" for number in kept) if kept else ""

    def _emphasised(self, match: re.Match[str]) -> str:
        """Return what remains of emphasis around citations: `****` would be shown as it is."""
        before = len(self.found)
        within = _TOKEN.sub(self.kept, match["within"]).strip(" \u00a0")
        start = match.start("within")
        self.found[before:] = [(start + place, number) for place, number in self.found[before:]]
        return f"{match['space']}{match['marks']}{within}{match['marks']}" if within else ""

    @property
    def cited(self) -> frozenset[int]:
        """Return the numbers that the answer has cited so far."""
        return frozenset(number for _place, number in self.found)

    def _note_ticks(self, ticks: str) -> None:
        if self._fence:
            self._fence = "" if ticks.startswith(self._fence) else self._fence
        elif len(ticks) >= FENCE_TICKS and not (self._inline and ticks[0] == "~"):
            self._fence = ticks
        elif ticks[0] == "`":
            self._inline = "" if self._inline == ticks else self._inline or ticks


def _end_of_known(text: str) -> int:
    """Return from where on it depends on the next piece what a text says."""
    begun = _BEGUN.search(text, max(0, len(text) - MAX_HELD_CHARACTERS))
    while begun and "*" in begun[0]:
        # What ends one emphasis looks as if it began another.
        around = (each.end() for each in _TOKEN.finditer(text) if each.start() < begun.start())
        end = next((each for each in around if begun.start() < each), 0)
        if not end:
            break
        begun = _BEGUN.search(text, end)
    return begun.start() if begun else len(text)


def _named(numbers: str) -> Iterator[int]:
    for first, last in _NAMED.findall(numbers):
        yield from range(int(first), int(last or first) + 1)


def without_citations(text: str) -> str:
    """Return a text without the numbers of passages, which mean nothing elsewhere."""
    reader = CitationFilter(frozenset())
    return reader.feed(text) + reader.rest()


def citations_in(text: str, numbers: Set[int]) -> list[tuple[int, int]]:
    """Return the citations of these passages in a complete answer: the place, and the number."""
    reader = CitationFilter(numbers)
    _TOKEN.sub(reader.kept, text)
    return reader.found


def cited_numbers(text: str, numbers: Set[int]) -> frozenset[int]:
    """Return which of these passages an answer cites."""
    return frozenset(number for _place, number in citations_in(text, numbers))
