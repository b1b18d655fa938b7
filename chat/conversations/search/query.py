"""Parse free text into search terms that no database can misread. Pure functions.

A text must contain all terms. Words in quotes, and runs of a script without spaces, must follow
each other. The last word may be a prefix, because the user may still be typing it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from chat.lib.words import WORD_LENGTH, pairs, runs_of, words_of

MAX_QUERY_CHARS = 200
MAX_TERMS = 8
MAX_WORDS_IN_TERM = 8  # a longer phrase is searched in parts
# Of a word; shorter prefixes match too many words, which is slow and of little use.
MIN_PREFIX_CHARS = 3

_QUOTED = re.compile('["“”„«»]([^"“”„«»]*)["“”„«»]?|([^"“”„«»]+)')


@dataclass(frozen=True, slots=True)
class Term:
    """Words that follow each other; the last one may be a prefix."""

    words: tuple[str, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Terms that a text must contain, all of them. Without any, nothing is searched."""

    terms: tuple[Term, ...]

    def __bool__(self) -> bool:
        return bool(self.terms)


def parse(text: str) -> Query:
    """Return the query for any text that a user typed."""
    terms = dict.fromkeys(islice(_terms(text[:MAX_QUERY_CHARS]), MAX_TERMS))
    return Query(tuple(terms))


def _terms(text: str) -> Iterator[Term]:
    for match in _QUOTED.finditer(text):
        quoted, free = match.groups()
        if free is None:
            yield from _phrase(quoted)
        else:
            yield from _free(free, is_last=match.end() == len(text))


def _phrase(text: str) -> Iterator[Term]:
    words: list[str] = []
    is_open = False
    for run, is_joined in runs_of(text):
        words += pairs(run) if is_joined else [run[:WORD_LENGTH]]
        is_open = is_joined
    yield from _in_parts(words, is_open)


def _free(text: str, *, is_last: bool) -> Iterator[Term]:
    runs = list(runs_of(text))
    for number, (run, is_joined) in enumerate(runs, start=1):
        if is_joined:
            yield from _in_parts(pairs(run), is_open=True)
        else:
            is_being_written = is_last and number == len(runs) and bool(words_of(text[-1]))
            can_be_open = MIN_PREFIX_CHARS <= len(run) <= WORD_LENGTH
            yield Term((run[:WORD_LENGTH],), is_being_written and can_be_open)


def _in_parts(words: list[str], is_open: bool) -> Iterator[Term]:
    """Split a phrase into terms.

    The last character of an open run may be followed by another one in the text.
    """
    if is_open and len(words) > 1 and len(words[-2]) == 2 and words[-2].endswith(words[-1]):
        words, is_open = words[:-1], False
    parts = []
    for first in range(0, len(words), MAX_WORDS_IN_TERM):
        last = first + MAX_WORDS_IN_TERM
        parts.append(Term(tuple(words[first:last]), is_open and last >= len(words)))
    yield from dict.fromkeys(parts)
