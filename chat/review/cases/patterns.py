"""Match words and patterns with RE2, in time linear in the length of the text.

RE2 has no backreferences or lookaround, so neither a text nor a pattern can make it slow. Texts are
normalised (folding.py), so that nobody evades a rule with invisible or similar letters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.review.cases.folding import fold_words, without_invisible

MAX_MEMORY_BYTES = 1 << 20  # for one compiled pattern with its states
MAX_WORDS = 200
MAX_SHOWN = 50  # matches shown when a pattern is tried
EDGE = r"[^\pL\pN_]"
REST = r"[\pL\pN_]*"  # rest of a word
GAP = r"[\s\p{Pd}]"  # between the words of a phrase, which may have hyphens
#: “and”, “by” and others, with the article: Arabic writes them as one word with the next.
ARABIC_PREFIX = "(?:[وف]?(?:[بك]?ال|لل))?"
#: Scripts without spaces between words, so words have no edges to match.
WITHOUT_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
#: RE2's messages → ours. `{place}` is the part of the pattern that the error is about.
PROBLEMS = {
    "missing )": gettext_lazy("Unclosed “(”."),
    "unexpected )": gettext_lazy("“)” without a matching “(”."),
    "missing ]": gettext_lazy("Unclosed “[”."),
    "no argument": gettext_lazy("There is nothing to repeat before “{place}”."),
    "bad repetition operator": gettext_lazy("“{place}” repeats something that already repeats."),
    "invalid repetition size": gettext_lazy("The repeat count “{place}” is too large or "
                                            "in the wrong order."),
    "invalid perl operator": gettext_lazy("“{place}” isn't supported. Lookahead and lookbehind "
                                          "can't be used."),
    "invalid escape": gettext_lazy("“{place}” isn't supported. Backreferences can't be used."),
    "invalid character class": gettext_lazy("“{place}” isn't a valid character range."),
    "trailing": gettext_lazy("The pattern ends with a backslash."),
    "pattern too large": gettext_lazy("The pattern is too large. Use fewer repetitions."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MatchedPiece:
    """A piece of a text, and whether it matches."""

    text: str
    is_hit: bool


class Pattern:
    """A compiled expression; `search` tests a text, `pieces` returns the matches."""

    def __init__(
        self,
        expression: str,
        normalised: Callable[[str], str] = without_invisible,
        *,
        is_grouped: bool = False,
    ) -> None:
        self._normalised = normalised
        self._is_grouped = is_grouped  # the match is the group that participates
        options = re2.Options()
        options.max_mem = MAX_MEMORY_BYTES
        options.case_sensitive = False
        options.log_errors = False  # RE2 would write the pattern to the server's log
        self._compiled: Any = re2.compile(expression, options)

    def search(self, text: str, known: dict[Callable[[str], str], str] | None = None) -> bool:
        """Return whether the text matches. `known` has its normalised forms, for other patterns.

        Making one takes a tenth of a second for the longest messages.
        """
        known = {} if known is None else known
        if self._normalised not in known:
            known[self._normalised] = self._normalised(text)
        return self._compiled.search(known[self._normalised]) is not None

    def pieces(self, text: str) -> list[MatchedPiece]:
        """Return the whole normalised text, split at its first `MAX_SHOWN` matches."""
        text = self._normalised(text)
        pieces: list[MatchedPiece] = []
        end = at = 0
        for _number in range(MAX_SHOWN):
            match = self._compiled.search(text, at)
            if match is None:
                break
            first, last = self._span(match)
            pieces += [MatchedPiece(text[end:first], False), MatchedPiece(text[first:last], True)]
            end = at = last  # the end of one word may be the start of the next match
        return [each for each in (*pieces, MatchedPiece(text[end:], False)) if each.text]

    def _span(self, match: Any) -> tuple[int, int]:
        groups = range(1, self._compiled.groups + 1) if self._is_grouped else ()
        spans = (match.span(number) for number in groups)
        place: tuple[int, int] = next((span for span in spans if span[0] >= 0), match.span())
        return place


@lru_cache(maxsize=256)
def words(text: str) -> Pattern:
    """Match any of the words or phrases, one per line; `*` at an end stands for more letters."""
    lines = [re2.sub(f"{GAP}+", " ", line).strip() for line in fold_words(text).split("\n")]
    wanted = [line for line in lines if line.replace("*", "").strip()]
    if not wanted:
        raise ValidationError(_("Enter one or more words, one per line."))
    if len(wanted) > MAX_WORDS:
        raise ValidationError(_("Enter at most {most} lines.").format(most=MAX_WORDS))
    by_edges: dict[tuple[str, str, str, str], list[str]] = {}
    for line in wanted:
        inner = line.strip("*")
        spaced = f"{GAP}+".join(re2.escape(each) for each in inner.split())
        by_edges.setdefault(_edges(line, inner), []).append(spaced)
    either = (
        f"{before}({begin}(?:{'|'.join(some)}){end}){after}"
        for (before, begin, end, after), some in by_edges.items()
    )
    return _compiled("|".join(either), fold_words, is_grouped=True)


@lru_cache(maxsize=256)
def pattern(text: str) -> Pattern:
    if not text.strip():
        raise ValidationError(_("Enter a pattern."))
    made = _compiled(without_invisible(text))
    if made.search(""):
        raise ValidationError(_("This pattern matches any text, even an empty one."))
    return made


def _edges(line: str, inner: str) -> tuple[str, str, str, str]:
    """Return what precedes the words, extends them at both ends, and follows them."""
    begin, end = (REST if is_open else "" for is_open in (line[0] == "*", line[-1] == "*"))
    before = "" if begin or _has_no_edge(inner[0]) else f"(?:^|{EDGE})"
    if before and re2.search(r"^\p{Arabic}", inner):
        begin = ARABIC_PREFIX
    after = "" if end or _has_no_edge(inner[-1]) else f"(?:$|{EDGE})"
    return before, begin, end, after


def _has_no_edge(letter: str) -> bool:
    return bool(re2.search(WITHOUT_SPACES, letter))


def _compiled(
    expression: str,
    normalised: Callable[[str], str] = without_invisible,
    *,
    is_grouped: bool = False,
) -> Pattern:
    try:
        return Pattern(expression, normalised, is_grouped=is_grouped)
    except re2.error as error:
        raise ValidationError(_in_words(error)) from None


def _in_words(error: Exception) -> str:
    reason = error.args[0]
    reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    kind, _colon, place = reason.partition(": ")
    unknown = gettext_lazy("Invalid pattern: “{place}”.")
    words = next((words for name, words in PROBLEMS.items() if kind.startswith(name)), unknown)
    return str(words).format(place=place or kind)
