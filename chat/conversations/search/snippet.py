"""Extract the part of a text that shows why it was found. Pure functions.

It consists of pieces of text, not markup: model output stays text, and the caller marks the hits.
The signs of Markdown are left out.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from chat.conversations.search.query import Query, Term
from chat.lib.words import GAP, IS_JOINED, IS_LETTER, LETTERS, WORD_LENGTH, fold

LENGTH = 240
BEFORE = 60  # characters before the first hit
LOOK_AT = 100_000  # characters of a text; later hits are not shown
MAX_END_CHARS = 20  # of a word that the snippet would cut
MORE = "…"
#: What a reader of formatted text doesn't see. It is matched in snippets only, which are short.
SIGNS = re.compile(
    r"""
    ^[ \t>]*(?:`{3,}|~{3,})[^\n]*$                        # fences, with their language
    |^[ \t|:]*-{3,}[ \t|:-]*$                             # rules, also of tables
    |^[ \t]*\|[ \t|:-]+$                                   # short ones
    |^[ \t]*(?:>[ \t]?)+(?:[-*+][ \t]+)?                  # quotes, and lists in them
    |^[ \t]*(?:\#{1,6}|[-*+])[ \t]+(?:\[[ xX]\][ \t]+)?    # headings, lists, tasks
    |(?<!\\)\*\*|~~|`+
    |\\(?=[*_`~\[\]\#|<>&\\-])                             # escapes
    |(?<![\w*\\])\*(?=[^\s*])|(?<=[^\s*\\])\*(?![\w*])  # emphasis
    |!?\[(?=[^\]\n]{0,200}\]\()|\]\([^)\s]{0,300}\)     # links
    |\[\^[^\]\s]{1,40}\]:?                               # footnotes
    |(?:^|(?<=\s))\|(?=\s|$)                             # cells
    |</?(?:kbd|sub|sup|details|summary|br[ ]?/?)>
    """,
    re.VERBOSE | re.MULTILINE,
)

Span = tuple[int, int]


class SnippetPiece(NamedTuple):
    """A part of a snippet, and whether it matches the query."""

    text: str
    is_hit: bool


def snippet(text: str, query: Query) -> list[SnippetPiece]:
    """Return the text around the first hit, in one line; the beginning if no hit can be shown."""
    hits = _hits(text, query)
    start = _start(text, hits[0][0] if hits else 0)
    end = _end_after(text, max(start + LENGTH, hits[0][1] if hits else 0))
    marks = [start, *(min(mark, end) for hit in hits for mark in hit), end]
    signs = _signs(text[start:end], start, hits)
    pieces = [SnippetPiece(MORE, False)] * (start > 0)
    pieces += [
        SnippetPiece(re.sub(r"\s+", " ", _without(signs, text, first, last)), bool(number % 2))
        for number, (first, last) in enumerate(pairwise(marks))
    ]
    pieces += [SnippetPiece(MORE, False)] * (end < len(text))
    return [piece for piece in pieces if piece.text]


def _signs(shown: str, start: int, hits: Sequence[Span]) -> list[Span]:
    """Return where signs of Markdown are that no hit needs, such as in an address that matches."""
    signs: list[Span] = []
    for match in SIGNS.finditer(shown):
        first, last = start + match.start(), start + match.end()
        if not any(hit[0] < last and first < hit[1] for hit in hits):
            signs.append((first, last))
        elif match[0].startswith("](") and signs and shown[signs[-1][1] - start - 1] == "[":
            signs.pop()  # the link's opening
    return signs


def _without(signs: Sequence[Span], text: str, first: int, last: int) -> str:
    """Return a part of `text` without the signs in it."""
    parts = []
    for start, end in signs:
        if first <= start and end <= last:
            parts.append(text[first:start])
            first = end
    return "".join([*parts, text[first:last]])


def _start(text: str, hit: int) -> int:
    """Return a position a little before the hit, at the start of a word if possible."""
    start = max(0, hit - BEFORE)
    space = re.compile(r"\s").search(text, start, hit) if start else None
    return space.end() if space else start


def _end_after(text: str, place: int) -> int:
    """Return `place`, or the end of the word a little later."""
    end = min(len(text), place + MAX_END_CHARS)
    space = re.compile(r"\s").search(text, place, end)
    return space.start() if space else end


def _hits(text: str, query: Query) -> list[Span]:
    """Return the first hit and those close behind it, without overlaps."""
    looked_at = text[:LOOK_AT]
    plain = fold(looked_at)
    places: Sequence[int] = range(len(plain) + 1)
    if len(plain) != len(looked_at):
        plain, places = _with_places(looked_at)
    firsts = [next(_places_of(term, plain, 0), None) for term in query.terms]
    first = min((span[0] for span in firsts if span), default=None)
    if first is None:
        return []
    hits: list[Span] = []
    near = (_near(term, plain, first) for term in query.terms)
    for start, end in sorted(chain.from_iterable(near)):
        if not hits or start >= hits[-1][1]:
            hits.append((start, end))
    return [(places[start], places[end]) for start, end in hits]


def _near(term: Term, text: str, first: int) -> Iterator[Span]:
    return takewhile(lambda span: span[0] < first + LENGTH, _places_of(term, text, first))


def _with_places(text: str) -> tuple[str, Sequence[int]]:
    """Return `text` folded, with the original position of each character."""
    parts = list(map(fold, text))
    places = [place for place, part in enumerate(parts) for _ in part]
    return "".join(parts), [*places, len(text)]


def _places_of(term: Term, text: str, start: int) -> Iterator[Span]:
    """Yield where the term occurs in a folded text."""
    parts = _parts(term)
    while (start := text.find(parts[0], start)) >= 0:
        end = _end(term, parts, text, start)
        if end is not None:
            yield start, end
        start = end or start + 1


def _end(term: Term, parts: list[str], text: str, start: int) -> int | None:
    """Return where a term that starts at `start` ends; None if it does not occur there."""
    end = start
    for number, part in enumerate(parts, start=1):
        begin = _after(GAP, text, end) if number > 1 else start
        if not text.startswith(part, begin):
            return None
        end = begin + len(part)
        if IS_JOINED.match(part):
            continue
        if begin and IS_LETTER.match(text, begin - 1):
            return None
        word_end = _after(LETTERS, text, end)
        is_open = term.is_open and number == len(parts)
        if word_end > end and not (is_open or len(part) == WORD_LENGTH):
            return None
        end = word_end
    return end


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _parts(term: Term) -> list[str]:
    """Return the words of a term, with overlapping pairs joined again."""
    parts: list[str] = []
    for number, word in enumerate(term.words):
        if number and IS_JOINED.match(word) and term.words[number - 1].endswith(word[0]):
            parts[-1] += word[1:]  # pairs overlap
        else:
            parts.append(word)
    return parts
