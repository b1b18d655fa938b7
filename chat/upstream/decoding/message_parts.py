"""Read the reasoning and the text of a delta or a complete message.

Both have many places: text may be a list of parts, of which some are reasoning (Mistral,
Databricks); reasoning has five names, and OpenRouter lists its details. Parts of other types, such
as references, are neither.
"""

from msgspec import Raw, Struct

from chat.upstream.chunks import (
    EMPTY_LIST,
    NOTHING,
    ChunkMessage,
    object_of,
    objects_of,
    text_of,
    word_of,
)

REASONING_TYPES = frozenset(
    {
        "thinking",
        "thought",
        "reasoning",
        "reasoning_text",
        "reasoning.text",
        "reasoning.summary",
        "summary_text",
    }
)
TEXT_TYPES = frozenset({"", "text", "output_text", "refusal"})
MAX_DEPTH = 3


class _Part(Struct):
    """A part of a message. Its words are in the first field that it has, as text or parts."""

    type: Raw = NOTHING
    text: Raw = NOTHING
    thinking: Raw = NOTHING
    reasoning: Raw = NOTHING
    summary: Raw = NOTHING
    refusal: Raw = NOTHING

    @property
    def words(self) -> Raw:
        fields = (self.text, self.thinking, self.reasoning, self.summary, self.refusal)
        return next((raw for raw in fields if raw), NOTHING)


class _Wrapped(Struct):
    """A text with its annotations, as in OpenAI's Assistants API."""

    value: Raw = NOTHING


def reasoning_and_text(message: ChunkMessage) -> tuple[str, str]:
    """Return the reasoning and the text. A refusal is text of the model as well."""
    reasoning = (
        _words(message.reasoning_content)
        or _words(message.reasoning)
        or _words(message.reasoning_text)
        or _words(message.thinking)
        or _words(message.reasoning_details)
    )
    thought, text = _content(message.content)
    return reasoning or thought, text + text_of(message.refusal)


def reasoning_name(message: ChunkMessage) -> str:
    """Return the field that has the reasoning, of the two that providers read in a history."""
    if _words(message.reasoning_content):
        return "reasoning_content"
    return "reasoning" if _words(message.reasoning) else ""


def _content(raw: Raw) -> tuple[str, str]:
    """Return the reasoning and the text of `content`. JSON that is no parts is text."""
    parts = _parts(raw)
    if parts is None:
        return "", "" if raw == EMPTY_LIST else text_of(raw)
    reasoning, text = "", ""
    for part in parts:
        kind = word_of(part.type)
        if kind in REASONING_TYPES:
            reasoning += _words(part.words)
        elif kind in TEXT_TYPES:
            text += _words(part.words)
    return reasoning, text


def _words(raw: Raw, depth: int = MAX_DEPTH) -> str:
    """Return all words of a value, which is text, a part or a list of parts."""
    parts = _parts(raw)
    if parts is None and _first(raw) == b"{":
        wrapped = object_of(raw, _Wrapped) or _Wrapped()
        return "" if _first(wrapped.value) in {b"{", b"["} else text_of(wrapped.value)
    if parts is None:
        return "" if _first(raw) == b"[" else text_of(raw)
    return "".join(_words(part.words, depth - 1) for part in parts) if depth else ""


def _parts(raw: Raw) -> list[_Part] | None:
    """Return the parts in `raw`; None if it is anything else."""
    first = _first(raw)
    if first == b"{":
        part = object_of(raw, _Part)
        return [part] if part and (part.type or part.text) else None
    parts = None if raw == EMPTY_LIST else objects_of(raw, _Part)
    return parts if parts and all(part.type or part.text for part in parts) else None


def _first(raw: Raw) -> bytes:
    return bytes(memoryview(raw)[:1])
