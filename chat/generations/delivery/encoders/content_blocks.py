"""Build the content of an answer in Anthropic's Messages API, block by block.

Blocks are thinking, text and calls of tools, and only one is open at a time. Some models write
several calls at once; then what does not belong to the open call waits until the end.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from chat.generations.delivery.encoders.called_tools import NO_INPUT, object_in
from chat.generations.delivery.encoders.streamed_calls import CallDelta

Events = list[dict[str, Any]]
#: By kind of block: the type of its deltas, and the key of their text.
DELTAS = {
    "thinking": ("thinking_delta", "thinking"),
    "text": ("text_delta", "text"),
    "tool_use": ("input_json_delta", "partial_json"),
}


class _Piece(NamedTuple):
    kind: str
    text: str
    call: CallDelta | None = None

    @property
    def block_key(self) -> tuple[str, int]:
        """Identify the block that the piece belongs to, if it is the open one."""
        return self.kind, self.call.number if self.call else 0


class ContentBlocks:
    """The blocks of one answer: `content` has the closed ones. Each method returns the events."""

    def __init__(self, signature: str) -> None:
        self.content: Events = []
        self._signature = signature
        self._open: tuple[str, int] | None = None
        self._block: dict[str, Any] = {}
        self._parts: list[str] = []
        self._waiting: dict[tuple[str, int], list[_Piece]] = {}

    def thinking(self, text: str) -> Events:
        return self._add(_Piece("thinking", text))

    def text(self, text: str) -> Events:
        return self._add(_Piece("text", text))

    def call(self, call: CallDelta) -> Events:
        return self._add(_Piece("tool_use", call.arguments, call))

    def finish(self, rest: Iterable[CallDelta]) -> Events:
        """Add the `rest` of the tool calls, then what has waited, and close the last block."""
        events = [event for call in rest for event in self.call(call)]
        for pieces in self._waiting.values():
            events += self._close()
            for piece in pieces:
                events += self._write(piece)
        events += self._close()
        if not self.content:
            events += [*self._begin(_Piece("text", "")), *self._close()]
        return events

    def _add(self, piece: _Piece) -> Events:
        if piece.block_key == self._open:
            return self._write(piece)
        if piece.call and not piece.call.name and piece.block_key not in self._waiting:
            return []  # a call that was complete already
        if self._waiting or self._is_call_unfinished():
            self._waiting.setdefault(piece.block_key, []).append(piece)
            return []
        return [*self._close(), *self._write(piece)]

    def _is_call_unfinished(self) -> bool:
        is_call = self._open is not None and self._open[0] == "tool_use"
        return is_call and object_in("".join(self._parts)) is None

    def _write(self, piece: _Piece) -> Events:
        """Add a piece to the open block, which it begins if none is open."""
        events = [] if self._open else self._begin(piece)
        if not piece.text:
            return events
        self._parts.append(piece.text)
        kind, key = DELTAS[piece.kind]
        delta = {"type": kind, key: piece.text}
        return [*events, self._event("content_block_delta", delta=delta)]

    def _begin(self, piece: _Piece) -> Events:
        self._open, self._parts = piece.block_key, []
        if piece.call:
            # Their ids have this prefix, and some programs sort calls by it.
            call_id = piece.call.id.replace("call_", "toolu_", 1)
            name = piece.call.name
            self._block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        elif piece.kind == "thinking":
            self._block = {"type": "thinking", "thinking": "", "signature": ""}
        else:
            self._block = {"type": "text", "text": ""}
        return [self._event("content_block_start", content_block=self._block)]

    def _close(self) -> Events:
        if self._open is None:
            return []
        events, text = [], "".join(self._parts)
        block = dict(self._block)
        if self._open[0] == "tool_use":
            block["input"] = object_in(text) or NO_INPUT
        elif self._open[0] == "text":
            block["text"] = text
        else:
            block |= {"thinking": text, "signature": self._signature}
            delta = {"type": "signature_delta", "signature": self._signature}
            events.append(self._event("content_block_delta", delta=delta))
        events.append(self._event("content_block_stop"))
        self.content.append(block)
        self._open = None
        return events

    def _event(self, kind: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "index": len(self.content), **more}
