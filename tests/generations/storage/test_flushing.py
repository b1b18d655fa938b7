"""When the log writer flushes: at once for a result, otherwise as often as it is told."""

import asyncio
from contextlib import suppress

import pytest

from chat.generations.result import Result
from chat.generations.storage.log_writer import LogWriter
from chat.generations.task.task import GenerationTask
from tests.support.patience import PATIENCE_SECONDS


async def test_a_send_alone_flushes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    writer, flushes = LogWriter(3600.0), asyncio.Queue[int]()

    async def flush() -> None:
        await flushes.put(len(writer._kept))
        for kept in writer._kept.values():
            assert kept.result
            assert kept.stored
            kept.stored.set_result(kept.result)
        writer._kept.clear()

    monkeypatch.setattr(writer, "flush", flush)
    running = asyncio.create_task(writer.run())
    for _ in range(2):  # also after all work was done
        live = GenerationTask("user:1", 1000)
        writer.take(live)
        for _ in range(5):
            await asyncio.sleep(0)
        assert flushes.empty()
        await writer.store_result(live, Result("complete", 0, 0))
        assert await flushes.get() == 1
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_what_runs_is_flushed_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    writer, flushed = LogWriter(0.01), asyncio.Event()

    async def flush() -> None:
        flushed.set()

    monkeypatch.setattr(writer, "flush", flush)
    running = asyncio.create_task(writer.run())
    writer.take(GenerationTask("user:1", 1000))
    await asyncio.wait_for(flushed.wait(), PATIENCE_SECONDS)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
