r"""Split texts into words as the search index stores them. Pure functions.

Case, accents and other marks are ignored, so that "cafe" finds "Café". Scripts without spaces have
no visible words. There every two neighbouring characters form a word, and so does the last one:
東京都 is 東京, 京都, 都. This way any part of such a text can be found, as consecutive pairs, or
as a single character that begins a pair.

PostgreSQL does the same in SQL (postgres_index.py); a test compares them. A change to the rules
must rebuild both indexes, in a migration.
"""

import re
import unicodedata
from collections.abc import Iterator

from chat.lib.combining import limit_marks

WORD_LENGTH = 64  # longer words are indexed by their beginning

#: Ignored: accents, vowel points, invisible marks. Stored indexes depend on them, so these are not
#: simply those of text.py.
MARKS = (
    r"\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    r"\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
)
#: Never part of a word: punctuation, symbols, pictographs, characters without a meaning.
BETWEEN = (
    r"\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a"
    r"\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd"
    r"\u06de\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e4f\u0e5a\u0e5b\u0f01-\u0f14\u0f3a-\u0f3d"
    r"\u104a-\u104f\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u17d4-\u17db"
    r"\u1800-\u180e\u2000-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0"
    r"\u30fb\ua4fe\ua4ff\ua60d-\ua60f\ua6f2-\ua6f7\ua874-\ua877\ua8ce\ua8cf\ua9c1-\ua9cd"
    r"\uaa5c-\uaa5f\uabeb\ud7ff-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff00-\uff65\uffe0-\uffff"
    r"\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U0010ffff"
)
#: Scripts without spaces, or with endings that belong to the word, such as Korean.
JOINED = (
    r"\u0e00-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3"
    r"\u17dc-\u17ff\u2e80-\u2fef\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u309f\u30a1-\u30fa"
    r"\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7fe\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARK = re.compile(f"[{MARKS}]")
_RUN = re.compile(rf"([{JOINED}]+)|[^\0{JOINED}{BETWEEN}]+")
_ASCII_RUN = re.compile(r"[0-9a-z]+")
LETTERS = re.compile(rf"[^\0{JOINED}{BETWEEN}]+")  # of a word that ends at a space
GAP = re.compile(rf"[\0{BETWEEN}]*")
IS_JOINED = re.compile(f"[{JOINED}]")
IS_LETTER = re.compile(rf"[^\0{JOINED}{BETWEEN}]")


def fold(text: str) -> str:
    """Return `text` without differences that a search ignores."""
    if text.isascii():
        return text.lower()
    return without_marks(text).lower().replace("ς", "σ")


def without_marks(text: str) -> str:
    """Return `text` without accents, vowel points and invisible marks, in compatible letters."""
    bare = _MARK.sub("", unicodedata.normalize("NFKD", limit_marks(text)))
    return unicodedata.normalize("NFKC", bare)


def runs_of(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each run of letters and digits, folded, and whether its script has no spaces."""
    if text.isascii():
        yield from ((run, False) for run in _ASCII_RUN.findall(text.lower()))
    else:
        yield from ((each[0], each[1] is not None) for each in _RUN.finditer(fold(text)))


def words_of(text: str) -> list[str]:
    """Return the indexed words of `text`, in order."""
    words: list[str] = []
    for run, is_joined in runs_of(text):
        words += pairs(run) if is_joined else [run[:WORD_LENGTH]]
    return words


def pairs(run: str) -> list[str]:
    """Return every two neighbouring characters, and the last one by itself."""
    return [run[place : place + 2] for place in range(len(run))]
