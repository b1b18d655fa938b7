"""Decode nearly all events of a stream fast: plain tokens with known keys only.

Anything with another key, or another type, is left to the general decoder (chunks.py,
normalizer.py). For plain tokens both give the same result (tests/upstream/test_token_chunks.py).
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from chat.upstream.chunks import NOTHING

_NoToolCalls = Annotated[list[Any], Meta(max_length=0)] | None


class _TokenDelta(Struct, forbid_unknown_fields=True):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: None = None
    role: Raw = NOTHING
    tool_calls: _NoToolCalls = None


class _TokenChoice(Struct, forbid_unknown_fields=True):
    delta: _TokenDelta
    finish_reason: None = None
    index: Literal[0] | None = None
    logprobs: Raw = NOTHING
    matched_stop: Raw = NOTHING
    stop_reason: Raw = NOTHING


class TokenChunk(Struct, forbid_unknown_fields=True):
    """A token in the native format, OpenAI's, or both at once; `usage` stays raw."""

    response: str | UnsetType = UNSET
    p: Raw = NOTHING
    choices: Annotated[list[_TokenChoice], Meta(min_length=1, max_length=1)] | UnsetType = UNSET
    tool_calls: _NoToolCalls = None
    usage: Raw = NOTHING
    id: Raw = NOTHING
    object: Raw = NOTHING
    created: Raw = NOTHING
    model: Raw = NOTHING
    system_fingerprint: Raw = NOTHING
    service_tier: Raw = NOTHING


_decoder = msgspec.json.Decoder(TokenChunk)


def token_chunk(data: str) -> TokenChunk | None:
    """Return the token chunk in `data`; None if it is anything else."""
    try:
        chunk = _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if chunk.response is UNSET and chunk.choices is UNSET else chunk


def texts_of(chunk: TokenChunk) -> tuple[str, str]:
    """Return the reasoning and the text of a token."""
    if chunk.choices is UNSET:
        return "", chunk.response or ""
    delta = chunk.choices[0].delta
    return delta.reasoning_content or delta.reasoning or "", delta.content or chunk.response or ""


def name_of_reasoning(chunk: TokenChunk) -> str:
    """Return the field of a token that has its reasoning."""
    has_content = chunk.choices is not UNSET and chunk.choices[0].delta.reasoning_content
    return "reasoning_content" if has_content else "reasoning"
