"""Separate reasoning that models write into the answer between tags, such as `<think>`.

An opening tag counts only before any text of the answer: elsewhere it is part of what the model
says. For models whose prompt template contains the opening tag, reasoning begins without one. A
closing tag in quotation marks or code is not one either. Tags may be split between pieces.
"""

import re

from chat.upstream.events import Piece, Reasoning, Text

#: Closing tags by opening tag: DeepSeek's and Qwen's, Claude's, Gemini's, Bedrock's, Seed's,
#: Magistral's, Kimi's, and that of gpt-oss, which servers without a parser for it pass on.
TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|channel|>analysis<|message|>": "<|end|><|start|>assistant<|channel|>final<|message|>",
}
USUAL_CLOSE = TAGS["<think>"]
QUOTES = frozenset("\"'`“”‘’„«»")
#: Blanks that may come before a tag; after more, they are relayed.
MAX_BLANKS = 200


class ThinkSplitter:
    """Split the text of one answer into reasoning and text.

    After `is_settled`, all that follows is text. With `starts_open`, the opening tag is missing.
    """

    def __init__(self, *, starts_open: bool = False) -> None:
        self.is_settled = False
        self._starts_open = self._is_unopened = starts_open
        self._close = ""  # the tag that ends the reasoning; empty: it hasn't begun
        self._waiting: list[str] = []  # pieces at the beginning of the answer
        self._is_after_tag = False
        self._held = ""  # of the reasoning
        self._previous = ""  # the character before `_held`
        self._blanks = ""  # at the end of the reasoning so far
        self._has_reasoning = False
        self._code = _Code()
        self._kept: list[str] = []  # the answer, if no closing tag follows

    def feed(self, text: str) -> list[Piece]:
        if self.is_settled:
            return [Text(text)]
        if self._close:
            self._held += text
            return self._reasoning_pieces(is_end=False)
        self._waiting.append(text)
        return self._beginning()

    def finish(self, *, has_ended: bool) -> list[Piece]:
        """Return what was held back.

        If the answer `has_ended` by itself although its reasoning never did, what looked like
        reasoning is the answer as well: all of it, or what follows a tag that seemed to be quoted.
        """
        if not self._close:
            return self._settle()
        pieces = self._reasoning_pieces(is_end=True)
        text = "".join(self._kept).strip("\n")
        if self._close and has_ended and text.strip():
            pieces.append(Text(text))
        return pieces if self._close else [*pieces, *self._settle()]

    def _beginning(self) -> list[Piece]:
        """Look for an opening tag at the beginning of what is waiting."""
        text = "".join(self._waiting)
        start = text.lstrip()
        for tag, close in TAGS.items():
            if start.startswith(tag):
                self._is_unopened = False
                return self._open(close, start[len(tag) :])
        if len(text) - len(start) <= MAX_BLANKS and any(tag.startswith(start) for tag in TAGS):
            return []
        if self._starts_open:
            return self._open(USUAL_CLOSE, text)
        return self._settle()

    def _open(self, close: str, text: str) -> list[Piece]:
        self._starts_open, self._waiting, self._has_reasoning = False, [], False
        self._close, self._held, self._code = close, text, _Code()
        return self._reasoning_pieces(is_end=False)

    def _settle(self) -> list[Piece]:
        """Return what is waiting: it is text. Blank lines after a closing tag belong to the tag."""
        self.is_settled = True
        waiting, self._waiting = self._waiting, []
        if self._is_after_tag:
            waiting = ["".join(waiting).lstrip("\n")]
        return [Text(text) for text in waiting if text]

    def _reasoning_pieces(self, *, is_end: bool) -> list[Piece]:
        """Return the pieces up to a closing tag, or up to what may be the beginning of one."""
        held, at, pieces = self._held, 0, list[Piece]()
        while (place := held.find(self._close, at)) >= 0:
            end = place + len(self._close)
            before = held[place - 1] if place else self._previous
            if before in QUOTES and end == len(held) and not is_end:  # wait for what follows
                break
            pieces += self._reasoning(held[at:place])
            if not (self._code.is_inside or {before, held[end : end + 1]} <= QUOTES):
                return [*pieces, *self._closed(held[end:])]
            pieces += self._reasoning(held[place:end])
            self._kept = self._kept if self._is_unopened else []
            at = end
        stop = len(held) if is_end else place
        if stop < 0:
            stop = len(held) - _length_of_half_tag(held[at:], self._close)
        pieces += self._reasoning(held[at:stop])
        self._previous = held[stop - 1] if stop else self._previous
        self._held = held[stop:]
        return pieces

    def _reasoning(self, text: str) -> list[Piece]:
        """Return `text` without blanks at the beginning and, until more follows, at the end."""
        self._code.read(text)
        self._kept.append(text)
        text = self._blanks + text
        if not self._has_reasoning:
            text = text.lstrip()
        shown = text.rstrip() if len(text) <= MAX_BLANKS or not text.isspace() else text
        self._blanks = text[len(shown) :]
        self._has_reasoning = self._has_reasoning or bool(shown)
        return [Reasoning(shown)] if shown else []

    def _closed(self, text: str) -> list[Piece]:
        """Go on with the answer, which may begin with more reasoning."""
        self._close = self._held = self._previous = self._blanks = ""
        self._is_after_tag, self._kept, self._is_unopened = True, [], False
        self._waiting = [text] if text else []
        return self._beginning() if text else []


def without_reasoning(text: str) -> str:
    """Return a whole answer without the reasoning at its beginning."""
    splitter = ThinkSplitter()
    pieces = [*splitter.feed(text), *splitter.finish(has_ended=False)]
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


class _Code:
    """Follow whether the end of a text is inside a code span or a fenced block of Markdown."""

    FENCE = re.compile(r"\s{0,3}(?:```|~~~)[`~]*[ \t]*([^\s`~]?)")
    MAX_PREFIX = 100

    def __init__(self) -> None:
        self._is_fenced = False
        self._line = ""  # the beginning of the last line
        self._ticks = 0  # in the last line

    @property
    def is_inside(self) -> bool:
        return self._is_fenced or self._ticks % 2 == 1

    def read(self, text: str) -> None:
        first, *lines = text.split("\n")
        self._add(first)
        for line in lines:
            fence = self.FENCE.match(self._line)
            if fence and not (self._is_fenced and fence[1]):  # one with a language only opens
                self._is_fenced = not self._is_fenced
            self._line, self._ticks = "", 0
            self._add(line)

    def _add(self, text: str) -> None:
        self._ticks += text.count("`")
        if len(self._line) < self.MAX_PREFIX:
            self._line += text[: self.MAX_PREFIX]


def _length_of_half_tag(text: str, tag: str) -> int:
    """Return the length of the end of `text` that may begin `tag`."""
    for length in range(min(len(tag) - 1, len(text)), 0, -1):
        if tag.startswith(text[-length:]):
            return length
    return 0
