"""Many who ask at once, in one process: sockets that write down what comes, and when."""

import asyncio
import gc
import os
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import cast

import uvloop

from benchmarks.streams.answers import Answer
from benchmarks.streams.marks import now
from benchmarks.streams.targets import Target
from benchmarks.streams.usage import Memory, cpu_of, cpu_seconds, memory

END = b"0\r\n\r\n"
SAMPLE_SECONDS = 0.25
#: An answer that has not ended by then has failed.
PATIENCE_SECONDS = 90.0
#: What the end of an answer costs its server comes after the last byte.
SETTLING_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Plan:
    """So many readers, who come within a time and ask one answer after another."""

    readers: int
    rate: float
    tokens: int
    ramp_seconds: float = 0.0
    rounds: int = 1
    #: Between which seconds the steady cost is read.
    window: tuple[float, float] | None = None


@dataclass(slots=True)
class Run:
    """What was seen."""

    answers: list[Answer] = field(default_factory=list)
    cpu_seconds: float = 0.0
    #: Of the core of whoever measures, how much that took. Near 1 the figures are its own.
    measuring_share: float = 0.0
    window: tuple[int, int] | None = None
    window_cpu_seconds: float = 0.0
    memory_before: Memory = field(default_factory=lambda: Memory(0, 0))
    memory_peak: Memory = field(default_factory=lambda: Memory(0, 0))
    active: int = 0
    active_peak: int = 0


class Reader(asyncio.Protocol):
    def __init__(self, request: bytes) -> None:
        self._request = request
        self.answer = Answer(now())
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's says of itself less
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        pieces = self.answer.pieces
        pieces.append((now(), data))
        if data.endswith(END) or (len(pieces) == 1 and not data.startswith(b"HTTP/1.1 200")):
            self._end()

    def connection_lost(self, error: Exception | None) -> None:
        self._end()

    def _end(self) -> None:
        self._transport.close()
        if not self.ended.done():
            self.ended.set_result(None)


def run(target: Target, plan: Plan, upstream_pid: int) -> Run:
    gc.collect()
    gc.disable()  # a pause of ours would count as the server's
    try:
        return _in_loop(lambda: _run(target, plan, upstream_pid))
    finally:
        gc.enable()


def _in_loop(work: Callable[[], Coroutine[None, None, Run]]) -> Run:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work())


async def _run(target: Target, plan: Plan, upstream_pid: int) -> Run:
    measuring = (os.getpid(), upstream_pid)
    began, own = time.monotonic(), sum(map(cpu_of, measuring))
    seen = Run(memory_before=memory(target.pid))
    before = cpu_seconds(target.cpu_pids)
    watching = asyncio.create_task(_watch(target, seen))
    window = asyncio.create_task(_read_window(target, plan.window, seen))
    await asyncio.gather(*(_reader(target, plan, number, seen) for number in range(plan.readers)))
    own = sum(map(cpu_of, measuring)) - own
    seen.measuring_share = own / (time.monotonic() - began)
    await asyncio.sleep(SETTLING_SECONDS)
    seen.cpu_seconds = cpu_seconds(target.cpu_pids) - before
    await window  # late on a busy machine
    watching.cancel()
    await asyncio.wait([watching])
    return seen


async def _reader(target: Target, plan: Plan, number: int, seen: Run) -> None:
    await asyncio.sleep(plan.ramp_seconds * number / plan.readers)
    loop = asyncio.get_running_loop()
    for _ in range(plan.rounds):
        reader = Reader(target.request())
        seen.answers.append(reader.answer)
        seen.active += 1
        seen.active_peak = max(seen.active, seen.active_peak)
        try:
            await loop.create_connection(lambda made=reader: made, "127.0.0.1", target.port)  # type: ignore[misc]
            await asyncio.wait_for(reader.ended, PATIENCE_SECONDS)
        except (OSError, TimeoutError):
            pass  # what is missing shows
        seen.active -= 1


async def _watch(target: Target, seen: Run) -> None:
    while True:
        await asyncio.sleep(SAMPLE_SECONDS)
        sample, peak = memory(target.pid), seen.memory_peak
        seen.memory_peak = Memory(
            max(sample.resident_bytes, peak.resident_bytes), max(sample.threads, peak.threads)
        )


async def _read_window(target: Target, window: tuple[float, float] | None, seen: Run) -> None:
    if window is None:
        return
    begin, end = window
    await asyncio.sleep(begin)
    before, began_at = cpu_seconds(target.cpu_pids), now()
    await asyncio.sleep(end - begin)
    seen.window_cpu_seconds = cpu_seconds(target.cpu_pids) - before
    seen.window = (began_at, now())
