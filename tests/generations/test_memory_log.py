"""The log in memory: its frames, waking readers, and cleaning up."""

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.generations.log.frames import MAX_PIECE, MAX_SEND_BYTES, encode, frames_of
from chat.generations.log.memory_log import Log
from chat.lib.lazy_timeout import LazyTimeout
from chat.upstream.events import Reasoning, Text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 2**31))
def test_templated_frames_match_the_encoder(text: str, number: int) -> None:
    spoken, thought = {"response": text}, {"response": "", "reasoning": text}
    assert frames_of(Text(text), number) == ([encode(spoken, number)] if text else [])
    assert frames_of(Reasoning(text), number) == ([encode(thought, number)] if text else [])


def test_a_long_text_is_split_into_numbered_frames_that_fit_a_send() -> None:
    text = "\0" * MAX_PIECE * 3 + "end"
    frames = frames_of(Text(text), 7)
    assert [frame.split(b"\n")[0] for frame in frames] == [b"id: %d" % n for n in range(7, 11)]
    assert max(map(len, frames)) <= MAX_SEND_BYTES
    said = [msgspec.json.decode(frame.split(b"data: ")[1])["response"] for frame in frames]
    assert "".join(said) == text


async def test_all_waiting_readers_are_woken_and_share_the_bytes() -> None:
    log = Log()
    waits = [asyncio.create_task(log.wait(0, 60)) for _ in range(3)]
    await asyncio.sleep(0)
    log.append(frames_of(Text("a"), 1))
    await asyncio.gather(*waits)
    first, second = log.read(0), log.read(0)
    assert first[0] is second[0]
    assert first == (encode({"response": "a"}, 1), 1)


async def test_a_wait_times_out_and_its_timer_can_be_reused() -> None:
    log, timeout = Log(), LazyTimeout()
    await log.wait(0, 0.01, timeout)
    waiting = asyncio.create_task(log.wait(0, 60, timeout))
    await asyncio.sleep(0.02)
    assert not waiting.done()
    log.wake()
    await waiting
    timeout.close()


@pytest.mark.parametrize("wake_first", [True, False])
async def test_cancelling_one_waiting_reader_leaves_the_others(wake_first: bool) -> None:
    log = Log()
    going, staying = (asyncio.create_task(log.wait(0, 60)) for _ in range(2))
    await asyncio.sleep(0)
    if wake_first:
        log.wake()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert log._waiting == [] if wake_first else len(log._waiting) == 1
    log.wake()
    await staying
