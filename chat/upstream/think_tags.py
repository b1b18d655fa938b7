"""Separate reasoning that models write into the answer between `<think>` and `</think>`.

The opening tag may be missing (the prompt template contained it), so for such a model everything
before the closing tag is reasoning. Tags may be split between pieces.
"""

from chat.upstream.events import Piece, Reasoning, Text

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Split the text of one answer into reasoning and text."""

    def __init__(self) -> None:
        self._thinking = True
        self._held = ""
        self._said_nothing = True

    def feed(self, text: str) -> list[Piece]:
        if not self._thinking:
            return self._said(text)
        held = self._held + text
        thought, mark, answer = held.partition(CLOSE)
        if mark:
            self._thinking, self._held = False, ""
            return _thought(thought) + self._said(answer)
        keep = _length_of_half_mark(held)
        self._held = held[len(held) - keep :]
        return _thought(held[: len(held) - keep])

    def finish(self) -> list[Piece]:
        """Return the text held back, which is reasoning."""
        held, self._held = self._held, ""
        return _thought(held)

    def _said(self, text: str) -> list[Piece]:
        if self._said_nothing:  # blank lines after the closing tag belong to the tag
            text = text.lstrip("\n")
        self._said_nothing = self._said_nothing and not text
        return [Text(text)] if text else []


def _thought(text: str) -> list[Piece]:
    text = text.replace(OPEN, "")
    return [Reasoning(text)] if text.strip() else []


def _length_of_half_mark(text: str) -> int:
    """Return the length of the end of `text` that may begin a tag."""
    for length in range(min(len(CLOSE), len(text)), 0, -1):
        if OPEN.startswith(text[-length:]) or CLOSE.startswith(text[-length:]):
            return length
    return 0
