"""Plain tokens go to the sink as they arrive; everything else, and the rest, as it always did."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from chat.errors import UpstreamTimeout
from chat.upstream.client import Timeouts, Upstream
from chat.upstream.events import Finished, Piece, Text
from chat.upstream.failover import ask_with_failover
from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, chunk, raw_upstream
from tests.support.upstream.upstream_requests import MODEL, TIMEOUTS, hear, question, upstream_at

DONE = b"data: [DONE]\n\n"


@dataclass
class Sink:
    """Collects what it takes; has room for `room` characters at once."""

    room: int = 1_000
    taken: list[Piece] = field(default_factory=list)
    also: list[Piece] = field(default_factory=list)

    def has_room(self, characters: int) -> bool:
        return characters <= self.room

    def take(self, piece: Piece) -> None:
        self.taken.append(piece)
        self.also.append(piece)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.taken)


def token(text: str, more: str = "") -> bytes:
    return f'data: {{"response":"{text}"{more}}}\n\n'.encode()


def dripping(*parts: bytes, pause_seconds: float = 0.02, ends: bool = True) -> Handler:
    """Write each part by itself, so that each is received by itself."""

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        for part in parts:
            writer.write(chunk(part))
            await writer.drain()
            await asyncio.sleep(pause_seconds)
        if ends:
            writer.write(b"0\r\n\r\n")
        else:
            await asyncio.sleep(60)

    return handler


@asynccontextmanager
async def upstream_of(handler: Handler, timeouts: Timeouts = TIMEOUTS) -> AsyncIterator[Upstream]:
    async with raw_upstream(handler) as raw, upstream_at(raw.url, timeouts) as upstream:
        yield upstream


async def everything(upstream: Upstream, sink: Sink) -> tuple[str, Finished | None]:
    """Return the text in the order of its arrival, on either way, and the end."""
    finished: Finished | None = None
    merged = Sink(taken=[])
    sink.also = merged.taken
    async for event in ask_with_failover(question(), lambda _: upstream, MODEL, sink=sink):
        if isinstance(event, Text):
            merged.take(event)
        elif isinstance(event, Finished):
            finished = event
    return merged.text, finished


async def test_after_the_first_piece_the_sink_takes_the_tokens() -> None:
    usage = ',"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}'
    words = [f"{number} " for number in range(30)]
    parts = [*map(token, words), token("end", usage), DONE]
    async with upstream_of(dripping(*parts)) as upstream:
        text, finished = await everything(upstream, sink := Sink())
    assert text == "".join(words) + "end"
    assert sink.taken  # how many depends on what is received at once
    assert Text("0 ") not in sink.taken
    assert finished
    assert finished.complete
    assert finished.usage
    assert finished.usage.total_tokens == 7


async def test_what_is_no_plain_token_stays_in_its_place() -> None:
    parts = [
        token("a"),
        token("b"),
        token("c") + token("d"),  # two at once
        b'data: {"resp',  # cut
        b'onse":"e"}\n\n',
        b": comment\n\n",
        b'data: {"choices":[{"delta":{"content":"f"},"finish_reason":"stop"}]}\n\n',
        DONE,
    ]
    async with upstream_of(dripping(*parts)) as upstream:
        text, _ = await everything(upstream, Sink())
    assert text == "abcdef"


@pytest.mark.parametrize(
    "options",
    [
        {"asked": question(stop=("never",))},
        {"model": replace(MODEL, reasoning_style="inline_think")},
    ],
)
async def test_an_answer_whose_text_is_changed_does_not_use_it(options: dict[str, object]) -> None:
    parts = [token("a"), token("b"), token("c"), DONE]
    async with upstream_of(dripping(*parts)) as upstream:
        sink = Sink()
        heard = await hear(upstream, sink=sink, **options)
    assert heard.text + heard.reasoning == "abc"
    assert sink.taken == []


async def test_what_has_no_room_in_the_sink_is_returned() -> None:
    long = "x" * 200
    parts = [token("a"), token("b"), token(long), DONE]
    async with upstream_of(dripping(*parts)) as upstream:
        sink = Sink(room=100)
        heard = await hear(upstream, sink=sink)
    assert heard.text.endswith(long)
    assert sink.text in {"", "b"}


async def test_tokens_that_the_sink_takes_keep_the_wait_alive() -> None:
    quick = replace(TIMEOUTS, idle=1.5, content=1.5, answer=60)
    parts = [token(str(number)) for number in range(10)]
    handler = dripping(*parts, pause_seconds=0.3, ends=False)
    async with upstream_of(handler, quick) as upstream:
        sink = Sink()
        with pytest.raises(UpstreamTimeout):
            await everything(upstream, sink)
    assert [piece.text for piece in sink.also] == [str(number) for number in range(10)]
