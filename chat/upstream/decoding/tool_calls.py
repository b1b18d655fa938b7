"""Assemble tool calls from their fragments.

Most providers name the call of a fragment by an index, and send its id and name once. Others leave
out the index or the id, send 0 as every index, repeat the id or the name, make up an id for each
fragment, or send the name last or arguments as an object. What belongs together is decided in this
order: by a known id, by the index, else it continues the last call. A fragment begins another call
if it says something that the call cannot still be waiting for; see `_begins_another`.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Raw

from chat.errors import AnswerTooLong
from chat.upstream.chunks import value_of
from chat.upstream.decoding.characters import CharacterJoiner, repaired
from chat.upstream.decoding.object_end import ObjectEnd
from chat.upstream.events import ToolCall, ToolCallPiece

MAX_CALLS = 128  # OpenAI's limit of tools
MAX_ARGUMENT_CHARS = 64 * 1024
MAX_FRAGMENTS_BYTES = 256 * 1024  # of one chunk
MAX_INDEX_DIGITS = 9
NO_ID = frozenset({"", "null", "None"})


@dataclass(slots=True)
class _Fragment:
    index: int | None
    id: str
    name: str
    arguments: str
    is_object: bool  # the arguments are not text, so they are complete
    extra_content: dict[str, Any] | None

    @property
    def is_empty(self) -> bool:
        has_text = self.id or self.name or self.arguments
        return not (has_text or self.is_object or self.extra_content)


@dataclass(slots=True)
class _Call:
    number: int  # in the order of their first fragments
    index: int | None
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    characters: CharacterJoiner = field(default_factory=CharacterJoiner)  # of the arguments
    end: ObjectEnd = field(default_factory=ObjectEnd)
    length: int = 0  # of the arguments
    extra_content: dict[str, Any] | None = None
    next_name: str = ""  # of a call that may follow: the name was sent again
    is_announced: bool = False

    @property
    def is_whole(self) -> bool:
        """Return whether the arguments are a complete object."""
        return self.end.is_reached

    def repeats(self, fragment: _Fragment) -> bool:
        """Return whether `fragment` is this call again, as at the end of some streams."""
        is_same = bool(self.id) and (self.id, self.name) == (fragment.id, fragment.name)
        is_as_long = len(fragment.arguments) == self.length
        return is_same and is_as_long and "".join(self.arguments) == fragment.arguments

    def add(self, fragment: _Fragment) -> None:
        self.id = self.id or fragment.id
        if self.is_whole and self.name:
            self.next_name = fragment.name
        self.name = self.name or fragment.name
        self.extra_content = self.extra_content or fragment.extra_content
        fragment.arguments = self.characters.feed(fragment.arguments)
        if fragment.arguments:
            self.length += len(fragment.arguments)
            self.arguments.append(fragment.arguments)
            self.end.feed(fragment.arguments)
        self.end.is_reached |= fragment.is_object


class ToolCalls:
    """The tool calls of one answer, assembled from fragments."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_id: dict[str, _Call] = {}
        self._by_index: dict[int, _Call] = {}  # the newest of each index
        self._argument_chars = 0

    def calls(self) -> list[ToolCall]:
        """Return the calls. One whose name never came cannot be made, so it is left out."""
        return [
            ToolCall(
                call.number, call.id or None, call.name, "".join(call.arguments), call.extra_content
            )
            for call in self._calls
            if call.name
        ]

    @property
    def are_cut(self) -> bool:
        """Return whether the arguments of a call have begun, but are no complete object."""
        return any(each.arguments and not each.is_whole for each in self._calls)

    def add(self, raw: Raw) -> list[ToolCallPiece]:
        """Add the fragments of one chunk; return what can be relayed of them.

        Arguments are held back until the name is known. Raise `AnswerTooLong` if there are too
        many.
        """
        if len(raw) > MAX_FRAGMENTS_BYTES:
            raise AnswerTooLong(detail="tool calls")
        values = value_of(raw, MAX_FRAGMENTS_BYTES)
        if isinstance(values, dict):
            values = [values]
        added = []
        for value in values if isinstance(values, list) else []:
            if isinstance(value, dict) and (piece := self._add(_fragment(value))):
                added.append(piece)
        return added

    def _add(self, fragment: _Fragment) -> ToolCallPiece | None:
        if fragment.is_empty:
            return None
        call = self._continued(fragment)
        if call and call.is_whole and call.repeats(fragment):
            return None
        if call is None or _begins_another(call, fragment):
            name = call.next_name if call else ""
            call = self._begin(fragment)
            call.name = "" if fragment.name else name
        call.add(fragment)
        if call.id:
            self._by_id.setdefault(call.id, call)
        self._argument_chars += len(fragment.arguments) + _size(fragment.extra_content)
        if len(self._calls) > MAX_CALLS or self._argument_chars > MAX_ARGUMENT_CHARS:
            raise AnswerTooLong(detail="tool calls")
        return _piece(call, fragment)

    def _continued(self, fragment: _Fragment) -> _Call | None:
        """Return the call that the fragment may belong to."""
        call = self._by_id.get(fragment.id)
        if call and fragment.index in {None, call.index}:
            return call
        if fragment.index is not None:
            return self._by_index.get(fragment.index)
        return self._calls[-1] if self._calls else None

    def _begin(self, fragment: _Fragment) -> _Call:
        call = _Call(len(self._calls), fragment.index)
        self._calls.append(call)
        if fragment.id:
            self._by_id[fragment.id] = call
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        return call


def _begins_another(call: _Call, fragment: _Fragment) -> bool:
    """Return whether `fragment` begins a call of its own, rather than continuing `call`."""
    if fragment.id and call.id and fragment.id != call.id:
        # Some make up an id for each fragment, but then the index tells, and the name comes once.
        return fragment.index is None or bool(fragment.name) or call.is_whole
    if fragment.name and call.name and fragment.name != call.name:
        return True
    has_arguments = fragment.is_object or fragment.arguments.lstrip().startswith("{")
    return call.is_whole and has_arguments and bool(call.arguments or fragment.name)


def _piece(call: _Call, fragment: _Fragment) -> ToolCallPiece | None:
    """Return what a fragment adds for readers, if that can be told."""
    if call.is_announced:
        has_more = fragment.arguments or fragment.extra_content
        more = ToolCallPiece(call.number, "", fragment.arguments, fragment.extra_content)
        return more if has_more else None
    if not call.name:
        return None
    call.is_announced = True
    return ToolCallPiece(call.number, call.name, "".join(call.arguments), call.extra_content)


def _fragment(value: dict[str, Any]) -> _Fragment:
    function = value.get("function")
    part = function if isinstance(function, dict) else value
    arguments = part.get("arguments")
    call_id = _text(value.get("id"))
    return _Fragment(
        index=_index(value.get("index")),
        id="" if call_id in NO_ID else call_id,
        name=_text(part.get("name")),
        arguments=_arguments(arguments),
        is_object=isinstance(arguments, dict),
        extra_content=_extra_content(value.get("extra_content")),
    )


def _extra_content(value: Any) -> dict[str, Any] | None:
    """Return what is to be sent on as it is; None if it cannot be, because it is no Unicode."""
    with suppress(UnicodeEncodeError):
        return value if isinstance(value, dict) and msgspec.json.encode(value) else None
    return None


def _size(extra_content: dict[str, Any] | None) -> int:
    return len(msgspec.json.encode(extra_content)) if extra_content else 0


def _text(value: Any) -> str:
    return repaired(value) if isinstance(value, str) else ""


def _index(value: Any) -> int | None:
    """Return the index, which may be spelled as text; None if there is none."""
    text = str(value)[: MAX_INDEX_DIGITS + 1].removesuffix(".0")
    return int(text) if text.isdecimal() and len(text) <= MAX_INDEX_DIGITS else None


def _arguments(value: Any) -> str:
    """Return arguments as text. An empty object may be a placeholder, so it is no text yet."""
    if isinstance(value, dict) and value:
        return repaired(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return value if isinstance(value, str) else ""
