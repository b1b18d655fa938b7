"""Assemble tool calls from their fragments.

Fragments name their call by `index`. Ids repeat between turns and may come late, arguments may come
before the name, and a last fragment may be all null. Models also send complete calls without an
index.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from msgspec import Raw

from chat.errors import AnswerTooLong
from chat.upstream.chunks import value_of
from chat.upstream.events import ToolCall, ToolCallPiece

MAX_CALLS = 128  # OpenAI's limit of tools
MAX_ARGUMENT_CHARS = 64 * 1024
MAX_FRAGMENTS_BYTES = 256 * 1024  # of one chunk


@dataclass(slots=True)
class _Call:
    id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    is_announced: bool = False


class ToolCalls:
    """The tool calls of one answer, assembled from fragments."""

    def __init__(self) -> None:
        self._by_index: dict[int, _Call] = {}
        self._last = -1  # the highest index so far
        self._argument_chars = 0

    def calls(self) -> list[ToolCall]:
        return [
            ToolCall(index, call.id, call.name, "".join(call.arguments))
            for index, call in sorted(self._by_index.items())
        ]

    def add(self, raw: Raw) -> list[ToolCallPiece]:
        """Add the fragments of one chunk; return what can be relayed of them.

        Arguments are held back until the name is known. Raise `AnswerTooLong` if there are too
        many.
        """
        if len(raw) > MAX_FRAGMENTS_BYTES:
            raise AnswerTooLong(detail="tool calls")
        fragments = value_of(raw, MAX_FRAGMENTS_BYTES)
        added = []
        for fragment in fragments if isinstance(fragments, list) else []:
            if isinstance(fragment, dict) and (piece := self._add(fragment)):
                added.append(piece)
        return added

    def _add(self, fragment: dict[str, Any]) -> ToolCallPiece | None:
        function = fragment.get("function")
        part = function if isinstance(function, dict) else fragment
        name, call_id = part.get("name"), fragment.get("id")
        arguments = _arguments(part.get("arguments"))
        if not (name or call_id or arguments):
            return None
        number = self._number(fragment.get("index"), starts_new=bool(name or call_id))
        call = self._by_index.setdefault(number, _Call())
        call.id = call_id if isinstance(call_id, str) else call.id
        call.name = name if isinstance(name, str) else call.name
        call.arguments.append(arguments)
        self._argument_chars += len(arguments)
        if len(self._by_index) > MAX_CALLS or self._argument_chars > MAX_ARGUMENT_CHARS:
            raise AnswerTooLong(detail="tool calls")
        return _piece(number, call, arguments)

    def _number(self, index: Any, *, starts_new: bool) -> int:
        try:
            number = int(index)
        except (TypeError, ValueError, OverflowError):
            number = self._last + (1 if starts_new else 0)
        number = max(0, number)
        self._last = max(self._last, number)
        return number


def _piece(number: int, call: _Call, arguments: str) -> ToolCallPiece | None:
    """Return what a fragment adds for readers, if that can be told."""
    if call.is_announced:
        return ToolCallPiece(number, "", arguments) if arguments else None
    if not call.name:
        return None
    call.is_announced = True
    return ToolCallPiece(number, call.name, "".join(call.arguments))


def _arguments(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return ""
