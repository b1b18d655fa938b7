"""The stream format that readers of an answer receive: Workers AI's, with additional keys.

Every event is one line of JSON with a `response` (text, possibly empty), so a client that only
reads that key shows the whole answer. Everything else is in further keys. The end is `data:
[DONE]`, sent only after a terminal state; a connection that ends without it tells the client to
resume.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import msgspec

from chat.generations.result import Result
from chat.lib.sse import frame
from chat.upstream.events import (
    AnswerOpened,
    Event,
    LogProb,
    Reasoning,
    Sources,
    Text,
    ToolCallPiece,
    ToolStep,
)

DONE = b"[DONE]"
MAX_SEND_BYTES = 16 * 1024
#: Code points per frame: JSON escapes a control character in 6 bytes, so a frame fits into a send.
MAX_PIECE = 2_500
MAX_STEP_ARGUMENTS = 2_000
#: A source has at most 1,400 bytes, with a name in JSON's escapes.
SOURCES_AT_ONCE = 10
#: Templates for the frames of a token; the bytes match what `encode` would produce.
TEXT = b'id: %d\ndata: {"response":%b}\n\n'
REASONING = b'id: %d\ndata: {"response":"","reasoning":%b}\n\n'
LOG_PROB_HEAD = b'{"response":"","logprob":'
LOG_PROB = b"id: %d\ndata: " + LOG_PROB_HEAD + b"%b}\n\n"


def frames_of(event: Event, first_id: int, *, hides_model: bool = False) -> list[bytes]:
    """Return the frames for one event of an answer, numbered from `first_id`."""
    if isinstance(event, Text):
        return _in_pieces(TEXT, event.text, first_id)
    if isinstance(event, Reasoning):
        return _in_pieces(REASONING, event.text, first_id)
    if isinstance(event, ToolCallPiece):
        return [encode(each, number) for number, each in enumerate(_calling(event), first_id)]
    if isinstance(event, LogProb):
        return [LOG_PROB % (first_id, event.text.encode())]
    if isinstance(event, Sources):
        return [encode(each, number) for number, each in enumerate(_sources(event), first_id)]
    if isinstance(event, ToolStep):
        return [encode({"response": "", "tool": _stepped(event)}, first_id)]
    if isinstance(event, AnswerOpened):
        opening = _opening(event, hides_model=hides_model)
        return [encode(each, number) for number, each in enumerate(opening, first_id)]
    return []


def _in_pieces(form: bytes, text: str, first_id: int) -> list[bytes]:
    """Split `text` into as many frames as it needs."""
    if 0 < len(text) <= MAX_PIECE:
        return [form % (first_id, msgspec.json.encode(text))]
    starts = range(0, len(text), MAX_PIECE)
    return [
        form % (number, msgspec.json.encode(text[start : start + MAX_PIECE]))
        for number, start in enumerate(starts, first_id)
    ]


def _calling(piece: ToolCallPiece) -> Iterator[dict[str, Any]]:
    """Yield the payloads for a piece of a tool call; long arguments need several."""
    rest = piece.arguments
    call: dict[str, Any] = {"index": piece.index, "name": piece.name, "arguments": rest[:MAX_PIECE]}
    if piece.extra_content:
        call["extra_content"] = piece.extra_content
    while True:
        yield {"response": "", "tool_call": call}
        rest = rest[MAX_PIECE:]
        if not rest:
            return
        call = {"index": piece.index, "name": "", "arguments": rest[:MAX_PIECE]}


def _sources(sources: Sources) -> Iterator[dict[str, Any]]:
    """Yield the payloads for the passages. Nothing was found in the documents if there are none."""
    passages = list(sources.passages)
    for first in range(0, len(passages) or 1, SOURCES_AT_ONCE):
        payload = {"response": "", "sources": passages[first : first + SOURCES_AT_ONCE]}
        yield payload | ({"unanswered": True} if sources.is_unanswered else {})


def _stepped(step: ToolStep) -> dict[str, Any]:
    """Return the payload for a step of a tool; what is long is read with the stored answer."""
    values = _known(msgspec.structs.asdict(step))
    return {**values, "arguments": step.arguments[:MAX_STEP_ARGUMENTS]}


def _opening(opened: AnswerOpened, *, hides_model: bool) -> Iterator[dict[str, Any]]:
    if opened.omitted_messages:
        yield {"response": "", "omitted_messages": opened.omitted_messages}
    if not hides_model:
        yield {"response": "", "model": opened.model} | _without_empty(instead_of=opened.instead_of)


def terminal(result: Result) -> list[bytes]:
    """Return the terminal frames, including `[DONE]`."""
    frames = [
        encode(payload, result.last_seq + number)
        for number, payload in enumerate(_terminal_payloads(result), start=1)
    ]
    return [*frames, frame(DONE, result.last_seq + len(frames) + 1)]


def _terminal_payloads(result: Result) -> Iterator[dict[str, Any]]:
    if result.problem:
        yield {"response": "", "error": asdict(result.problem)}
    last: dict[str, Any] = {"response": "", "state": result.state, "length": result.length}
    last |= _without_empty(finish_reason=result.finish_reason)
    if result.hides_model:
        yield last
        return
    if result.usage:
        last["usage"] = _known(asdict(result.usage) | {"cost_usd": result.cost_usd})
    elif result.prompt_tokens and result.state != "failed":
        last["estimated_usage"] = {
            "prompt_tokens": result.prompt_tokens,
            "completion_tokens": result.output_tokens,
            "total_tokens": result.prompt_tokens + result.output_tokens,
        }
    if result.timing:
        last["timing"] = _known(asdict(result.timing))
    if result.tool_calls:
        last["tool_calls"] = [{**_known(asdict(call)), "id": call.id} for call in result.tool_calls]
    if result.gateway_log_id:
        last["gateway"] = {
            "log_id": result.gateway_log_id,
            "cache_status": result.gateway_cache_status,
        }
    yield last


def encode(payload: dict[str, Any], event_id: int) -> bytes:
    """Return `payload` as one frame."""
    return frame(msgspec.json.encode(payload), event_id)


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _without_empty(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
