"""Limit combining marks, of which no writing system puts more than a few on one letter.

Normalizing text sorts the marks of each letter, which Python and PostgreSQL do in quadratic time: a
hundred thousand marks on one letter take half a minute, during which Python does nothing else. So
code that normalizes text from users keeps only the first few marks of each letter, as Unicode's
Stream-Safe Text Format does (UAX #15, section 13).
"""

import re
import unicodedata
from collections.abc import Iterator

MAX_MARKS = 8
#: Where Unicode has marks; a test checks all other code points.
PLACES = range(0x300, 0x1F000)
SURROGATES = range(0xD800, 0xE000)


def _ranges() -> Iterator[tuple[int, int]]:
    first = last = -1
    for code in PLACES:
        if not begins_with_mark(code):
            continue
        if code != last + 1 and first >= 0:
            yield first, last
        first = code if code != last + 1 else first
        last = code
    yield first, last


def begins_with_mark(code: int) -> bool:
    """Return whether it is a mark or decomposes to one, as a half-width voicing mark does."""
    if code in SURROGATES:
        return False
    char = chr(code)
    if unicodedata.combining(char):
        return True
    return bool(unicodedata.decomposition(char)) and bool(
        unicodedata.combining(unicodedata.normalize("NFKD", char)[0])
    )


def _escaped(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


#: For use inside a character class, in Python and PostgreSQL.
MARKS = "".join(f"{_escaped(first)}-{_escaped(last)}" for first, last in _ranges())
LONG_RUN = f"([{MARKS}]{{{MAX_MARKS}}})[{MARKS}]+"
_LONG_RUN = re.compile(f"[{MARKS}][{MARKS}]{{{MAX_MARKS},}}")  # without a group, which is faster


def limit_marks(text: str) -> str:
    """Return `text` with at most `MAX_MARKS` combining marks on each letter."""
    return text if text.isascii() else _LONG_RUN.sub(lambda run: run[0][:MAX_MARKS], text)
