"""The SSE decoder follows the standard at every split; browsers use the same fixtures."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lib.sse import Event, EventTooLong, SseDecoder, comment, frame, retry

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures" / "sse").glob("*.json"))


def cases() -> list[Any]:
    return [
        pytest.param(base64.b64decode(case["raw_b64"]), case, id=case["name"])
        for file in FIXTURES
        for case in json.loads(file.read_text())
    ]


def decoded(chunks: list[bytes]) -> tuple[list[dict[str, str]], int | None]:
    decoder = SseDecoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    seen = [{"data": e.data, "event": e.event, "id": e.id} for e in events]
    return seen, decoder.retry_milliseconds


@pytest.mark.parametrize(("raw", "case"), cases())
def test_each_case_of_the_standard_is_decoded_at_every_split(
    raw: bytes, case: dict[str, Any]
) -> None:
    expected = case["events"], case.get("retry")
    assert decoded([raw]) == expected
    assert decoded([raw[i : i + 1] for i in range(len(raw))]) == expected
    for at in range(1, min(len(raw), 2000)):
        assert decoded([raw[:at], raw[at:]]) == expected


def test_the_fixtures_exist() -> None:
    assert len(cases()) >= 26


def test_an_unterminated_event_is_returned_only_on_request() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: a\n\ndata: tail") == [Event("a")]
    assert decoder.finish() == Event("tail")
    assert SseDecoder().finish() is None


@pytest.mark.parametrize("raw", [b"data: " + b"x" * 2000, b"data: xxxxxxxxx\n" * 200, b":" * 2000])
def test_an_endless_event_is_refused(raw: bytes) -> None:
    decoder = SseDecoder(max_event_bytes=1000)
    with pytest.raises(EventTooLong):
        for at in range(0, len(raw), 50):
            decoder.feed(raw[at : at + 50])


def test_each_event_may_be_as_long_as_the_limit() -> None:
    decoder = SseDecoder(max_event_bytes=15, max_event_lines=3)
    for data in ("12345678901234", "1234\n6789\n1234"):
        event = b"".join(b"data: %b\n" % line for line in data.encode().splitlines()) + b"\n"
        assert decoder.feed(event * 3) == [Event(data)] * 3


@given(st.text().filter(lambda text: not set(text) & {"\n", "\r"}), st.integers(0, 2**40))
def test_an_encoded_frame_is_decoded_again(text: str, number: int) -> None:
    wire = comment("ping") + retry(1000) + frame(text.encode(), number)
    decoder = SseDecoder()
    assert decoder.feed(wire) == [Event(text, id=str(number))]
    assert decoder.retry_milliseconds == 1000


PARTS = [
    b"id: 7\ndata: a\n\n",
    b'data: {"response":"x"}\n\n',
    b"data: \n\n",
    b"data:b\n\n",
    b"data: c\r\r",
    b"\ndata: d\n\n",
    b"event: x\n",
    b"data: e\n\n",
    b"data: f\n",
    b"data: g\n\n",
    "data: \ufeff\u00e9\n\n".encode(),
    b"data: \xff\n\n",
]


@given(st.lists(st.sampled_from(PARTS), max_size=8))
def test_cuts_change_nothing(parts: list[bytes]) -> None:
    decoder = SseDecoder()
    one_by_one = [event for part in parts for event in decoder.feed(part)]
    assert one_by_one == SseDecoder().feed(b"".join(parts))
