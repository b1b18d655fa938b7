"""Captured streams of providers, with the expected result, and what the decoder makes of them."""

import base64
import json
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from chat.lib.sse import SseDecoder
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.events import Piece, Reasoning, Text

FIXTURES = Path(__file__).parents[2] / "fixtures"


class CapturedStream(NamedTuple):
    name: str
    raw: bytes
    expect: dict[str, Any]

    @property
    def wanted(self) -> dict[str, Any]:
        """Return the expected outcome."""
        error = self.expect["error"]
        wanted = {key: self.expect[key] for key in outcome([self.raw])}
        if error:
            code = error["code"]
            wanted["error"] = (None if code is None else str(code), error["message"])
        return wanted


def captured(file_name: str) -> list[CapturedStream]:
    """Return the event streams of a file."""
    rows = map(json.loads, (FIXTURES / file_name).read_text().splitlines())
    return [
        CapturedStream(row["name"], base64.b64decode(row["raw_b64"]), row["expect"])
        for row in rows
        if row["content_type"] == "text/event-stream"
    ]


def outcome(chunks: Iterable[bytes]) -> dict[str, Any]:
    decoder, normaliser = SseDecoder(), Normalizer()
    pieces: list[Piece] = []
    for part in chunks:
        for event in decoder.feed(part):
            pieces += chain.from_iterable(normaliser.feed(event))
    pieces += chain.from_iterable(normaliser.feed_unterminated(decoder.finish()))
    held, finished = normaliser.finished()
    pieces += held
    usage, refusal = finished.usage, normaliser.refusal
    return {
        "deltas": [piece.text for piece in pieces if isinstance(piece, Text)],
        "reasoning": [piece.text for piece in pieces if isinstance(piece, Reasoning)],
        "usage": usage
        and {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.total_tokens,
        },
        "tool_calls": [
            {"index": c.index, "id": c.id, "name": c.name, "arguments": c.arguments}
            for c in finished.tool_calls
        ],
        "finish_reason": finished.finish_reason,
        "done": normaliser.done,
        "malformed": normaliser.malformed,
        "unknown": normaliser.unknown,
        "outcome": "error" if refusal else "complete" if finished.complete else "truncated",
        "error": refusal and (refusal.code, refusal.message),
    }
