"""Captured streams, with the expected result, split at every position."""

import base64
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from chat.lib.sse import SseDecoder
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.events import Piece, Reasoning, Text

CORPUS = Path(__file__).parent.parent / "fixtures" / "workers_ai_streams.jsonl"
#: The corpus states what the standard says of it (nothing is read). Each line alone is whole JSON,
#: and a public document prints streams this way, so here the lines are read.
LINES_WITHOUT_BLANKS = "frame-event-without-blank-line"


def cases() -> list[Any]:
    rows = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    return [
        pytest.param(base64.b64decode(row["raw_b64"]), row["expect"], id=row["name"])
        for row in rows
        if row["content_type"] == "text/event-stream" and row["name"] != LINES_WITHOUT_BLANKS
    ]


def cuttings(raw: bytes) -> Iterator[list[bytes]]:
    yield [raw]
    if len(raw) <= 4000:
        yield [raw[i : i + 1] for i in range(len(raw))]
        for at in range(1, len(raw)):
            yield [raw[:at], raw[at:]]
    yield [raw[i : i + 7] for i in range(0, len(raw), 7)]


def outcome(chunks: list[bytes]) -> dict[str, Any]:
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


@pytest.mark.parametrize(("raw", "expect"), cases())
def test_every_split_gives_the_expected_answer(raw: bytes, expect: dict[str, Any]) -> None:
    error = expect["error"]
    code = error and error["code"]
    wanted = {key: expect[key] for key in outcome([raw])}
    wanted["error"] = error and (None if code is None else str(code), error["message"])
    for chunks in cuttings(raw):
        assert outcome(chunks) == wanted


def test_events_without_blank_lines_are_read_line_by_line() -> None:
    raw = b'data: {"response":"a"}\ndata: {"response":"b"}\ndata: [DONE]\n\n'
    assert outcome([raw])["deltas"] == ["a", "b"]
    assert outcome([raw])["outcome"] == "complete"


def test_numbers_keep_their_spelling() -> None:
    raw = b"".join(
        b'data: {"response":%b}\n\n' % token
        for token in (b"0", b"1.50", b"-0", b"1e5", b"12345678901234567890123", b"false")
    )
    assert "".join(outcome([raw])["deltas"]) == "01.50-01e512345678901234567890123false"


def test_a_huge_event_and_ten_thousand_small_ones_are_read() -> None:
    big = b'data: {"response":"%b"}\n\n' % (b"x" * 1024 * 1024)
    tiny = b'data: {"response":"y"}\n\n' * 10_000
    cut = [big[i : i + 1000] for i in range(0, len(big), 1000)]
    assert len("".join(outcome([*cut, b":" + b"c" * 200_000 + b"\n\n", tiny])["deltas"])) == (
        1024 * 1024 + 10_000
    )


@pytest.mark.parametrize(
    "hostile",
    [
        b"[" * 100_000,
        b'{"choices":[null,7,{"delta":"x"}]}',
        b'{"choices":{"0":{}}}',
        b'{"usage":"lots"}',
        b'{"usage":{"prompt_tokens":1e999,"neurons":-1}}',
        b'{"tool_calls":[{"index":"1e9","function":7},{"index":-3,"name":["x"]}]}',
        b'{"response":NaN}',
        b"null",
        b'"text"',
        b"[1,2]",
    ],
)
def test_invalid_data_neither_breaks_the_stream_nor_becomes_text(hostile: bytes) -> None:
    raw = b"data: " + hostile + b'\n\ndata: {"response":"ok"}\n\ndata: [DONE]\n\n'
    assert "".join(outcome([raw])["deltas"]) in {"ok", "NaNok"}
