"""Separate reasoning that models write into the answer between `<think>` and `</think>`.

The opening tag may be missing (the prompt template contained it), so for such a model everything
before the closing tag is reasoning. Tags may be split between pieces.
"""

from chat.upstream.events import Piece, Reasoning, Text

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Split the text of one answer into reasoning and text."""

    def __init__(self) -> None:
        self._is_reasoning = True
        self._held = ""
        self._is_empty = True

    def feed(self, text: str) -> list[Piece]:
        if not self._is_reasoning:
            return self._answer(text)
        held = self._held + text
        reasoning, mark, answer = held.partition(CLOSE)
        if mark:
            self._is_reasoning, self._held = False, ""
            return _reasoning(reasoning) + self._answer(answer)
        keep = _length_of_half_mark(held)
        self._held = held[len(held) - keep :]
        return _reasoning(held[: len(held) - keep])

    def finish(self) -> list[Piece]:
        """Return the text held back, which is reasoning."""
        held, self._held = self._held, ""
        return _reasoning(held)

    def _answer(self, text: str) -> list[Piece]:
        if self._is_empty:  # blank lines after the closing tag belong to the tag
            text = text.lstrip("\n")
        self._is_empty = self._is_empty and not text
        return [Text(text)] if text else []


def _reasoning(text: str) -> list[Piece]:
    text = text.replace(OPEN, "")
    return [Reasoning(text)] if text.strip() else []


def _length_of_half_mark(text: str) -> int:
    """Return the length of the end of `text` that may begin a tag."""
    for length in range(min(len(CLOSE), len(text)), 0, -1):
        if OPEN.startswith(text[-length:]) or CLOSE.startswith(text[-length:]):
            return length
    return 0
