"""Whatever the provider sends, the event loop is shared. Steps are counted, not timed."""

import asyncio
import itertools
import sys
from contextlib import suppress

import pytest

from chat.errors import AnswerTooLong
from chat.lib.sse import SseDecoder
from chat.upstream.chunks import decode_chunk, text_of
from chat.upstream.client import Upstream
from chat.upstream.decoding import normalizer
from chat.upstream.decoding.stream_decoding import SLICE_BYTES, UNITS_PER_TURN
from chat.upstream.events import Event, Text
from tests.support.upstream.canned_upstream import DONE, canned, event
from tests.support.upstream.upstream_requests import question

#: A turn ends when its units are spent; one decoding step may exceed them a little.
MAX_PER_TURN = 2 * UNITS_PER_TURN


class Turns:
    """Count the work in each turn of the event loop, as another task sees it."""

    def __init__(self) -> None:
        self.done = 0
        self.turns: list[int] = []

    @property
    def most(self) -> int:
        seen = [0, *self.turns, self.done]
        return max(after - before for before, after in itertools.pairwise(seen))

    async def watch(self) -> None:
        while True:
            self.turns.append(self.done)
            await asyncio.sleep(0)


async def heard_from(upstream: Upstream, turns: Turns) -> list[Event]:
    """Return all events of the answer; `turns.done` counts the texts."""
    heard: list[Event] = []
    watching = asyncio.create_task(turns.watch())
    try:
        async for each in upstream.ask(question()):
            heard.append(each)
            turns.done += isinstance(each, Text)
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    return heard


def texts(heard: list[Event]) -> list[str]:
    return [each.text for each in heard if isinstance(each, Text)]


async def test_an_event_of_many_lines_is_read_in_steps() -> None:
    lines = b"".join(b'data: {"response":"%d "}\n' % number for number in range(15_000))
    turns = Turns()
    heard = await heard_from(canned(lines + b"\n", DONE), turns)
    assert texts(heard) == [f"{number} " for number in range(15_000)]
    assert turns.most <= MAX_PER_TURN


async def test_an_event_of_a_hundred_thousand_lines_ends_the_answer() -> None:
    lines = b'data: {"response":"x"}\n' * 100_000
    heard: list[str] = []
    with pytest.raises(AnswerTooLong):
        async for each in canned(event(b'{"response":"So far"}') + lines + b"\n").ask(question()):
            heard += [each.text] if isinstance(each, Text) else []
    assert heard == ["So far"]


async def test_a_chunk_of_many_events_is_read_in_steps() -> None:
    turns = Turns()
    heard = await heard_from(canned(event(b'{"response":1.50}') * 20_000 + DONE), turns)
    assert "".join(texts(heard)) == "1.50" * 20_000
    assert turns.most <= MAX_PER_TURN


async def test_chunks_that_have_already_arrived_are_read_in_steps() -> None:
    turns = Turns()
    heard = await heard_from(canned(*[event(b'{"response":"y"}')] * 5_000, DONE), turns)
    assert len(texts(heard)) == 5_000
    assert turns.most <= MAX_PER_TURN


async def test_lines_of_invalid_json_are_read_in_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = Turns()

    def counted(data: str) -> object:
        turns.done += 1
        return decode_chunk(data)

    monkeypatch.setattr(normalizer, "decode_chunk", counted)
    lines = b'data: {"response":"x"}\n' * 15_000 + b"data: no json\n\n"
    heard = await heard_from(canned(lines + event(b'{"response":"ok"}') + DONE), turns)
    assert texts(heard) == ["ok"]
    assert turns.most <= MAX_PER_TURN


async def test_endless_comments_are_read_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, feed = Turns(), SseDecoder.feed

    def counted(decoder: SseDecoder, chunk: bytes) -> object:
        turns.done += len(chunk)
        return feed(decoder, chunk)

    monkeypatch.setattr(SseDecoder, "feed", counted)
    heard = await heard_from(canned(b":\n" * 1_000_000 + event(b'{"response":"ok"}'), DONE), turns)
    assert texts(heard) == ["ok"]
    assert turns.most <= 3 * SLICE_BYTES


async def test_an_endless_tool_call_ends_the_answer() -> None:
    fragment = event(b'{"tool_calls":[{"index":0,"function":{"arguments":"%b"}}]}' % (b"x" * 100))
    with pytest.raises(AnswerTooLong):
        await heard_from(canned(fragment * 1_000 + DONE), Turns())


def test_unneeded_json_is_skipped_without_allocating() -> None:
    hostile = '{"x":[' + "[]," * 600_000 + '[]],"response":"a","choices":[' + "{}," * 1_000 + "{}]}"
    before = sys.getallocatedblocks()
    chunk = decode_chunk(hostile)
    assert sys.getallocatedblocks() - before < 1_000
    assert chunk is not None
    assert text_of(chunk.response) == "a"
