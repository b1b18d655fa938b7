"""Decode the JSON of one event or document from the provider into fixed structs.

Keys that the structs do not name are validated and skipped without allocating, so even hostile JSON
costs little more than reading its bytes. Named values stay raw until they are needed, which keeps
their spelling: a number that stands for text (`007`, `1.50`) is its bytes.
"""

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

NOTHING, NULL, EMPTY_LIST = Raw(), Raw(b"null"), Raw(b"[]")
#: Limit for JSON that msgspec refuses but that must still be read: lone surrogates, NaN.
MAX_ODD_BYTES = 128 * 1024
MAX_NUMBER_BYTES = 32
#: Limit for lists and objects that are decoded to values.
MAX_VALUE_BYTES = 64 * 1024

T = TypeVar("T", bound=Struct)


class NotJson(ValueError):
    """The data is not JSON, or is irregular JSON beyond `MAX_ODD_BYTES`."""


class Chunk(Struct, kw_only=True):
    """One object of a stream in any dialect: native, OpenAI, Responses, or an envelope."""

    response: Raw = NOTHING
    choices: Raw = NOTHING
    tool_calls: Raw = NOTHING
    usage: Raw = NOTHING
    x_groq: Raw = NOTHING
    finish_reason: Raw = NOTHING
    type: Raw = NOTHING
    object: Raw = NOTHING
    delta: Raw = NOTHING
    streamed_data: Raw = NOTHING
    result: Raw = NOTHING
    success: Raw = NOTHING
    errors: Raw = NOTHING
    error: Raw = NOTHING
    code: Raw = NOTHING
    internal_code: Raw = msgspec.field(default=NOTHING, name="internalCode")
    message: Raw = NOTHING
    detail: Raw = NOTHING


class Choice(Struct):
    delta: Raw = NOTHING
    message: Raw = NOTHING
    finish_reason: Raw = NOTHING
    native_finish_reason: Raw = NOTHING
    index: Raw = NOTHING
    usage: Raw = NOTHING
    logprobs: Raw = NOTHING


class ChunkMessage(Struct):
    """A delta or a complete message."""

    content: Raw = NOTHING
    refusal: Raw = NOTHING
    reasoning_content: Raw = NOTHING
    reasoning: Raw = NOTHING
    reasoning_text: Raw = NOTHING
    reasoning_details: Raw = NOTHING
    thinking: Raw = NOTHING
    tool_calls: Raw = NOTHING


class FinishObject(Struct):
    """SGLang's finish reason, an object: `{"type": "abort", "message": …}`."""

    type: Raw = NOTHING


class GroqDetails(Struct):
    """What Groq adds to some chunks."""

    usage: Raw = NOTHING


class ResponsesResult(Struct):
    """The fields of a Responses stream's last event that describe the answer."""

    usage: Raw = NOTHING
    incomplete_details: Raw = NOTHING


class _FirstOf(Struct, array_like=True):
    """The first item of a list; the others are skipped."""

    item: Raw = NOTHING


class _Part(Struct):
    text: Raw = NOTHING


def decode_chunk(data: str | bytes) -> Chunk | None:
    """Return the object in `data`, or None for any other JSON value; raise `NotJson`."""
    return _decode(data, Chunk)


def decode_document(body: bytes | bytearray) -> Chunk | None:
    """Return the object that a whole body has, or the first of a list, as in Gemini's errors."""
    text = body.decode("utf-8", "replace")
    try:
        found = decode_chunk(text)
    except NotJson:
        return None
    return found or next(iter(chunks_of(Raw(text.encode()))), None)


def unwrap(chunk: Chunk) -> Chunk:
    """Return the answer inside the envelope, or `chunk` itself if it has none."""
    if not chunk.result:
        return chunk
    if chunk.result == NULL:
        return Chunk()
    inner = object_of(chunk.result, Chunk)
    return Chunk(response=chunk.result) if inner is None else inner


def first_given(*values: Raw) -> Raw:
    """Return the first of `values` that is present and not null."""
    return next((raw for raw in values if raw and raw != NULL), NOTHING)


def chunks_of(streamed_data: Raw) -> list[Chunk]:
    """Return the chunks that a gateway has combined into one object."""
    return [chunk for each in items_of(streamed_data) or () if (chunk := object_of(each, Chunk))]


def first_choice(choices: Raw) -> Choice:
    """Return the first of OpenAI's `choices`; an empty one if there is none.

    One answer is requested, so a choice with another number than 0 is not part of it.
    """
    first = object_of(choices, _FirstOf) or _FirstOf()
    choice = object_of(first.item, Choice) or Choice()
    number = value_of(choice.index, MAX_NUMBER_BYTES)
    return Choice() if isinstance(number, int) and number > 0 else choice


def object_of(raw: Raw, shape: type[T]) -> T | None:
    """Return the object in `raw`; None if it is missing or not an object."""
    try:
        return _decode(bytes(raw), shape) if raw else None
    except NotJson:
        return None


def objects_of(raw: Raw, shape: type[T]) -> list[T] | None:
    """Return the objects of a list that has nothing else; None for any other value."""
    items = items_of(raw)
    found = None if items is None else [object_of(each, shape) for each in items]
    return None if found is None or None in found else [each for each in found if each]


def items_of(raw: Raw) -> list[Raw] | None:
    """Return the values in a list of at most `MAX_ODD_BYTES`; None for any other value."""
    if bytes(memoryview(raw)[:1]) != b"[" or len(raw) > MAX_ODD_BYTES:
        return None
    try:
        return msgspec.json.decode(raw, type=list[Raw])
    except (msgspec.DecodeError, RecursionError):
        try:
            return list(map(_raw, _read_slowly(bytes(raw))))
        except NotJson:
            return None


def value_of(raw: Raw, max_bytes: int = MAX_VALUE_BYTES) -> Any:
    """Return the decoded value of `raw`; None if it is missing, invalid or too large."""
    if not raw or len(raw) > max_bytes:
        return None
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        try:
            return _read_slowly(bytes(raw))
        except NotJson:
            return None


def word_of(raw: Raw) -> str:
    """Return the short string in `raw`, such as a finish reason; empty if it is none."""
    value = value_of(raw, max_bytes=200)
    return value if isinstance(value, str) else ""


def text_of(raw: Raw) -> str:
    """Return the text that a value stands for.

    Numbers and booleans are tokens too, as spelled. An object or a list is an answer in JSON mode,
    unless it is a list of text parts. Null is empty.
    """
    first = bytes(memoryview(raw)[:1])
    if first == b'"':
        return _string(raw)
    if first in {b"{", b"["}:
        parts = _texts(raw) if first == b"[" else None
        return _readable(bytes(raw).decode()) if parts is None else parts
    spelled = bytes(raw).decode()
    return "" if spelled == "null" else spelled


def _string(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=str)
    except msgspec.DecodeError:
        value = json.loads(bytes(raw))  # a lone surrogate: see `_read_slowly`
        return str(value)


def _texts(raw: Raw) -> str | None:
    """Return the joined texts of a list of text parts; None for any other value."""
    parts = None if raw == EMPTY_LIST else objects_of(raw, _Part)
    if parts is None or not all(part.text for part in parts):
        return None
    return "".join(text_of(part.text) for part in parts)


def _decode(data: str | bytes, shape: type[T]) -> T | None:
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError:
        return None
    except (msgspec.DecodeError, RecursionError):
        return _of_value(_read_slowly(data), shape)


def _of_value(value: Any, shape: type[T]) -> T | None:
    """Build a `shape` from a value that Python's decoder has read."""
    if shape is _FirstOf:
        return shape(_raw(value[0])) if isinstance(value, list) and value else None
    if not isinstance(value, dict):
        return None
    names = zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True)
    return shape(**{name: _raw(value[key]) for name, key in names if key in value})


def _raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())  # ASCII, so lone surrogates pass


class _Lexeme(str):
    """A number as it was spelled. Encoding it again quotes it, which reads as the same text."""

    __slots__ = ()


def _read_slowly(data: str | bytes) -> Any:
    """Decode with Python's `json`, which accepts lone surrogates and NaN; raise `NotJson`."""
    if len(data) > MAX_ODD_BYTES:
        raise NotJson
    as_spelled: Callable[[str], str] = _Lexeme
    try:
        return json.loads(
            data, parse_int=as_spelled, parse_float=as_spelled, parse_constant=as_spelled
        )
    except (ValueError, RecursionError):
        raise NotJson from None


_ESCAPES = re.compile(r"\\(?:u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*|[^u])")


def _readable(text: str) -> str:
    """Replace the escapes of short JSON text with their characters."""
    if "\\u" not in text or len(text) > MAX_VALUE_BYTES:
        return text
    return _ESCAPES.sub(_unescaped, text)


def _unescaped(escapes: re.Match[str]) -> str:
    if escapes[0][1] != "u":
        return escapes[0]
    return json.dumps(json.loads(f'"{escapes[0]}"'), ensure_ascii=False)[1:-1]
