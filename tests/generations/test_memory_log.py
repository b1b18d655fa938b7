"""The log in memory: its frames, waking readers, and cleaning up."""

import asyncio
import os
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.generations.log.frames import MAX_PIECE, MAX_SEND_BYTES, encode, frames_of
from chat.generations.log.memory_log import PAGE_FRAMES, Log
from chat.upstream.events import Reasoning, Text
from tests.support.fair_timeout import is_core


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 2**31))
def test_templated_frames_match_the_encoder(text: str, number: int) -> None:
    answer, reasoning = {"response": text}, {"response": "", "reasoning": text}
    assert frames_of(Text(text), number) == ([encode(answer, number)] if text else [])
    assert frames_of(Reasoning(text), number) == ([encode(reasoning, number)] if text else [])


def test_a_long_text_is_split_into_numbered_frames_that_fit_a_send() -> None:
    text = "\0" * MAX_PIECE * 3 + "end"
    frames = frames_of(Text(text), 7)
    assert [frame.split(b"\n")[0] for frame in frames] == [b"id: %d" % n for n in range(7, 11)]
    assert max(map(len, frames)) <= MAX_SEND_BYTES
    texts = [msgspec.json.decode(frame.split(b"data: ")[1])["response"] for frame in frames]
    assert "".join(texts) == text


async def test_all_waiting_readers_are_woken_and_share_the_bytes() -> None:
    log = Log()
    waits = [asyncio.create_task(log.wait(0, 60)) for _ in range(3)]
    await asyncio.sleep(0)
    log.append(frames_of(Text("a"), 1))
    await asyncio.gather(*waits)
    first, second = log.read(0), log.read(0)
    assert first[0] is second[0]
    assert first == (encode({"response": "a"}, 1), 1)


async def test_a_wait_ends_after_its_seconds() -> None:
    log = Log()
    await log.wait(0, 0.01)
    waiting = asyncio.create_task(log.wait(0, 60))
    await asyncio.sleep(0.02)
    assert not waiting.done()
    log.append(frames_of(Text("a"), 1))
    await waiting


@pytest.mark.parametrize("text", ["word", "\u00e4\n\n", "x" * MAX_PIECE])
@pytest.mark.parametrize("count", [1, PAGE_FRAMES * 2 - 1, PAGE_FRAMES * 2, PAGE_FRAMES * 5 + 7])
def test_older_frames_are_read_as_they_were_written(count: int, text: str) -> None:
    log = Log()
    written = [encode({"response": text}, number) for number in range(1, count + 1)]
    for each in written:
        log.append([each])
    assert len(log) == count
    for after in {0, 1, PAGE_FRAMES - 1, PAGE_FRAMES, PAGE_FRAMES + 1, count - 1, count}:
        if after <= count:
            assert log.page(after) == b"".join(written[after:])
            assert b"".join(_reads(log, after)) == b"".join(written[after:])


def _reads(log: Log, after: int) -> Iterator[bytes]:
    for _ in range(len(log) + 1):  # each read has at least one frame
        piece, after = log.read(after)
        if not piece:
            return
        assert len(piece) <= MAX_SEND_BYTES
        yield piece
    raise AssertionError("reading never ends")


def test_a_long_answer_takes_less_memory_than_its_frames() -> None:
    log = Log()
    frames = [frame for number in range(1, 2_001) for frame in frames_of(Text("word "), number)]
    for each in frames:
        log.append([each])
    assert log.size_bytes < sum(map(len, frames)) / 3


@pytest.mark.parametrize("append_first", [True, False])
async def test_cancelling_one_waiting_reader_leaves_the_others(append_first: bool) -> None:
    log = Log()
    going, staying = (asyncio.create_task(log.wait(0, 60)) for _ in range(2))
    await asyncio.sleep(0)
    if append_first:
        log.append(frames_of(Text("a"), 1))
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    log.append(frames_of(Text("b"), 1))
    await staying
    assert log._listeners == []


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="PostgreSQL's tests wait for a server")
def test_a_hang_of_the_core_ends_soon(request: pytest.FixtureRequest) -> None:
    """See tests/support/fair_timeout.py."""
    assert is_core(request.node)
