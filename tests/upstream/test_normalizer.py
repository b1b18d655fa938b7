"""Captured streams, with the expected result, split at every position."""

from collections.abc import Iterator

import pytest

from tests.support.upstream.captured_streams import CapturedStream, captured, outcome

#: The corpus states what the standard says of it (nothing is read). Each line alone is whole JSON,
#: and a public document prints streams this way, so here the lines are read.
LINES_WITHOUT_BLANKS = "frame-event-without-blank-line"
STREAMS = [
    each for each in captured("workers_ai_streams.jsonl") if each.name != LINES_WITHOUT_BLANKS
]
OTHERS = captured("provider_streams.jsonl")


def cuttings(raw: bytes) -> Iterator[list[bytes]]:
    yield [raw]
    if len(raw) <= 4000:
        yield [raw[i : i + 1] for i in range(len(raw))]
        for at in range(1, len(raw)):
            yield [raw[:at], raw[at:]]
    yield [raw[i : i + 7] for i in range(0, len(raw), 7)]


@pytest.mark.parametrize("stream", STREAMS, ids=[each.name for each in STREAMS])
def test_every_split_gives_the_expected_answer(stream: CapturedStream) -> None:
    wanted = stream.wanted
    for chunks in cuttings(stream.raw):
        assert outcome(chunks) == wanted


@pytest.mark.parametrize("stream", OTHERS, ids=[each.name for each in OTHERS])
def test_streams_of_other_providers_give_the_expected_answer(stream: CapturedStream) -> None:
    raw, wanted = stream.raw, stream.wanted
    for size in (len(raw), 1, 7):
        assert outcome(raw[at : at + size] for at in range(0, len(raw), size)) == wanted


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
