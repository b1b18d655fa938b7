"""Our stream format: what a reader of an answer receives. It is Workers AI's, with more keys.

Every event is one line of JSON with a `response` (text, maybe empty), so a client that only looks
at that key shows the whole answer. All else rides in further keys. The end is `data: [DONE]`, sent
only after a terminal state; an end of the connection without it means: resume.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import msgspec

from chat.generations.result import Result
from chat.lib.sse import frame
from chat.upstream.events import AnswerOpened, Event, Reasoning, Text

DONE = b"[DONE]"
MAX_SEND_BYTES = 16 * 1024
#: Code points per frame: JSON writes a control character in 6 bytes, so a frame stays below a send.
MAX_PIECE = 2_500


def payloads(event: Event) -> Iterator[dict[str, Any]]:
    """The JSON objects for one event of an answer, in order."""
    match event:
        case Text(text):
            for piece in _pieces(text):
                yield {"response": piece}
        case Reasoning(text):
            for piece in _pieces(text):
                yield {"response": "", "reasoning": piece}
        case AnswerOpened():
            yield from _opening(event)


def _opening(opened: AnswerOpened) -> Iterator[dict[str, Any]]:
    if opened.omitted_messages:
        yield {"response": "", "omitted_messages": opened.omitted_messages}
    yield {"response": "", "model": opened.model} | _given(instead_of=opened.instead_of)


def terminal(ending: Result) -> list[bytes]:
    """The last frames, `[DONE]` included."""
    frames = [
        encode(payload, ending.last_seq + number)
        for number, payload in enumerate(_ending(ending), start=1)
    ]
    return [*frames, frame(DONE, ending.last_seq + len(frames) + 1)]


def _ending(ending: Result) -> Iterator[dict[str, Any]]:
    if ending.problem:
        yield {"response": "", "error": asdict(ending.problem)}
    last: dict[str, Any] = {"response": "", "state": ending.state, "length": ending.length}
    last |= _given(finish_reason=ending.finish_reason)
    if ending.usage:
        last["usage"] = _known(asdict(ending.usage) | {"cost_usd": ending.cost_usd})
    if ending.timing:
        last["timing"] = _known(asdict(ending.timing))
    if ending.tool_calls:
        last["tool_calls"] = [asdict(call) for call in ending.tool_calls]
    if ending.gateway_log_id:
        last["gateway"] = {
            "log_id": ending.gateway_log_id,
            "cache_status": ending.gateway_cache_status,
        }
    yield last


def encode(payload: dict[str, Any], event_id: int) -> bytes:
    return frame(msgspec.json.encode(payload), event_id)


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), MAX_PIECE):
        yield text[start : start + MAX_PIECE]


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _given(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
