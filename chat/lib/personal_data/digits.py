"""Find runs of digits that may be a number of a person, and what stands before them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MIN_DIGITS, MAX_DIGITS = 7, 19
#: How far before a number a word may stand that says what it is.
WORD_DISTANCE = 40
#: At most two characters between digits, so that each attempt to match is short.
_RUN = re.compile(
    r"(?<![\w.,/@#=$€£¥-])(?<!\d:)\(?\+?\(?"
    r"\d(?:[ +().\u00a0\u2009\u202f/\u2010-\u2012-]{0,2}\d)*"
)
#: After a run, what makes it a part of something else; an extension doesn't.
_GOES_ON = re.compile(r"(?!x\d)[\w%]")
_SEPARATORS = " ().\u00a0\u2009\u202f/\u2010\u2011\u2012-"
_BORDER = re.compile(r"(?<=\d)[ (]{1,2}(?=\+)|  |(?<=\d{7}) (?=\(?\d{7})")


@dataclass(frozen=True, slots=True)
class DigitRun:
    """Digits with what separates them. `before` is the text before, in lower case."""

    text: str
    start: int
    digits: str
    before: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_plain(self) -> bool:
        """Return whether nothing separates the digits."""
        return len(self.text) == len(self.digits)


def runs(text: str) -> Iterator[DigitRun]:
    """Yield the runs with as many digits as numbers of people have.

    A longer one is a row of a table, in which nothing tells where a number begins, unless by a “+”.
    """
    for match in _RUN.finditer(text):
        if _GOES_ON.match(text, match.end()):
            continue
        for start, piece in _pieces(match[0], match.start()):
            # A bracket that isn't closed belongs to the sentence.
            if piece.startswith("(") and piece.count("(") > piece.count(")"):
                start, piece = start + 1, piece[1:]
            digits = "".join(filter(str.isdigit, piece))
            if MIN_DIGITS <= len(digits) <= MAX_DIGITS:
                before = text[max(0, start - WORD_DISTANCE) : start].lower()
                yield DigitRun(piece, start, _as_ascii(digits), before)


def _pieces(run: str, start: int) -> Iterator[tuple[int, str]]:
    """Split a run before each “+”, at two blanks, and between two numbers without any."""
    place = 0
    for border in _BORDER.finditer(run):
        yield start + place, run[place : border.start()].rstrip(_SEPARATORS)
        place = border.end()
    yield start + place, run[place:].rstrip(_SEPARATORS)


def _as_ascii(digits: str) -> str:
    return digits if digits.isascii() else "".join(str(int(each)) for each in digits)
