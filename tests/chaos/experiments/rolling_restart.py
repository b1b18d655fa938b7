"""Two processes are restarted one after the other while people send: no answer is cut, no send lost."""

import asyncio
import signal
from contextlib import suppress
from random import Random

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.chaos.site import Process

DRAIN_SECONDS = 60


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("restarted", seed)
    settings = {"DRAIN_SECONDS": str(DRAIN_SECONDS)}
    with bench.site.changed(**settings) as first, bench.site.second_process(**settings) as second:
        ready = [first, second]
        asked: list[Asked] = []
        sending = asyncio.create_task(_send(bench, chance, name, ready, asked))
        complaints = []
        await asyncio.sleep(1)
        for process in (first, second):
            ready.remove(process)
            complaints += await _restart(process, settings)
            ready.append(process)
            await asyncio.sleep(1)
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
        await _read(asked)
        complaints += bench.judged(name, asked)
    broken = sum(each.reader.broken for each in asked)
    note = f"{len(asked)} sends; {broken} connections broke and resumed"
    return Outcome(complaints, len(complaints), "problems", [note])


async def _send(
    bench: Bench, chance: Random, name: str, ready: list[Process], asked: list[Asked]
) -> None:
    """Send to any process that is not being restarted, until cancelled."""
    while True:
        each = bench.ask(
            Directive(f"{name}{len(asked)}", chance.randrange(20, 120), 40),
            person=len(asked),
            address=lambda: chance.choice(ready).url,
        )
        asked.append(each)
        each.running = asyncio.create_task(each.reader.run())
        await asyncio.sleep(bench.size(0.2, 0.05))


async def _read(asked: list[Asked]) -> None:
    await asyncio.gather(*(each.running for each in asked if each.running))


async def _restart(process: Process, settings: dict[str, str]) -> list[str]:
    process.send(signal.SIGTERM)
    seconds = await asyncio.to_thread(process.wait, DRAIN_SECONDS + 15.0)
    await asyncio.to_thread(process.start, **settings)
    return [] if seconds is not None else ["a process did not end in time"]
