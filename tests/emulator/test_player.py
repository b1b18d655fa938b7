"""The emulator's speed, interruptions, and the end when the reader leaves."""

import asyncio
import time
from contextlib import aclosing

import pytest

from chat.emulator import Emulator, player
from chat.emulator.common.faults import StreamReset
from tests.emulator.exchange import GEMMA, QWQ, ask, begin, first, question, run_path, send
from tests.support.patience import PATIENCE_SECONDS
from tests.support.wait_for import until

SOON_SECONDS = 0.05  # long enough for an event loop that has nothing else to do


@pytest.fixture
def paced() -> Emulator:
    return Emulator(tokens_per_second=1000, first_token_seconds=0)


async def test_an_answer_takes_the_time_of_its_tokens(paced: Emulator) -> None:
    started = time.monotonic()
    reply = await ask(paced, "/long 100")
    assert time.monotonic() - started >= (reply.usage["completion_tokens"] - 1) / 1000


async def test_a_document_takes_as_long_as_a_stream(paced: Emulator) -> None:
    started = time.monotonic()
    await send(paced, question("/long 100", stream=False))
    assert time.monotonic() - started >= 0.099


async def test_the_first_token_takes_longer() -> None:
    started = time.monotonic()
    await ask(Emulator(tokens_per_second=10_000, first_token_seconds=0.1), "Hello", max_tokens=3)
    assert time.monotonic() - started >= 0.1


async def test_slow_sets_the_speed(emulator: Emulator) -> None:
    answer = await begin(emulator, question("/slow"))
    async with aclosing(answer.body) as body:
        await first(body, 1)
        assert await is_silent(body)


async def test_fast_sets_the_speed() -> None:
    sluggish = Emulator(tokens_per_second=0.01, first_token_seconds=0)
    answer = await begin(sluggish, question("/fast"))
    async with aclosing(answer.body) as body, asyncio.timeout(PATIENCE_SECONDS):
        assert len(await first(body, 5)) == 5


async def test_concurrent_answers_share_the_event_loop() -> None:
    emulator = Emulator(tokens_per_second=0)
    quick = asyncio.ensure_future(ask(emulator, "Hello", max_tokens=5))
    slow = asyncio.ensure_future(ask(emulator, "/long 4000"))
    done, _ = await asyncio.wait({quick, slow}, return_when=asyncio.FIRST_COMPLETED)
    assert done == {quick}
    await slow


@pytest.mark.parametrize("model", [GEMMA, QWQ])
async def test_stall_falls_silent_after_the_given_tokens(emulator: Emulator, model: str) -> None:
    answer = await begin(emulator, question("/stall 3"), run_path(model))
    async with aclosing(answer.body) as body:
        await first(body, 4 if model == GEMMA else 3)
        assert await is_silent(body)


async def test_stall_zero_is_silent_from_the_start(emulator: Emulator) -> None:
    answer = await begin(emulator, question("/stall 0"), run_path(GEMMA))
    async with aclosing(answer.body) as body:
        assert await is_silent(body)


async def is_silent(body: object) -> bool:
    try:
        async with asyncio.timeout(SOON_SECONDS):
            await anext(body)  # type: ignore[call-overload]
    except TimeoutError:
        return True
    return False


async def test_comments_continue_without_content(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "KEEP_ALIVE_SECONDS", 0)
    answer = await begin(emulator, question("/comments 2"))
    async with aclosing(answer.body) as body:
        parts = await first(body, 10)
    assert [part.startswith(b"data: ") for part in parts] == [True] * 2 + [False] * 8
    assert set(parts[2:]) == {b": keep-alive\n\n"}


async def test_reset_raises_after_the_given_tokens(emulator: Emulator) -> None:
    answer = await begin(emulator, question("/reset 3"))
    await first(answer.body, 3)
    with pytest.raises(StreamReset):
        await anext(answer.body)


async def test_max_tokens_below_the_break_ends_the_answer_first(emulator: Emulator) -> None:
    assert (await ask(emulator, "/stall 20", max_tokens=5)).is_done


async def test_documents_break_differently_from_streams(emulator: Emulator) -> None:
    async def document(text: str) -> bytes:
        return (await send(emulator, question(text, stream=False))).raw

    assert b"8005" in await document("/error-after 3")
    assert not (await document("/cut 3")).endswith(b"}")
    with pytest.raises(StreamReset):
        await document("/reset 3")
    answer = await begin(emulator, question("/stall 3", stream=False))
    async with aclosing(answer.body) as body:
        assert await is_silent(body)


@pytest.mark.parametrize("text", ["/long", "/stall 2", "/comments 2", "/bytes"])
async def test_closing_ends_the_generation(emulator: Emulator, text: str) -> None:
    answer = await begin(emulator, question(text))
    await first(answer.body, 2)
    assert emulator.open_bodies == 1
    await answer.body.aclose()
    assert emulator.open_bodies == 0


@pytest.mark.parametrize("text", ["/stall 0", "/slow", "/comments 0"])
async def test_cancelling_the_reader_ends_the_generation(emulator: Emulator, text: str) -> None:
    reading = asyncio.ensure_future(ask(emulator, text))
    await until(lambda: emulator.open_bodies == 1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert emulator.open_bodies == 0
