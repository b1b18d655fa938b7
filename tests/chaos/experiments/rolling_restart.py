"""Two processes are restarted one after the other while people send: no answer is cut, no send lost."""

import asyncio
import signal
from random import Random

from tests.chaos.bench import Bench
from tests.chaos.outcome import Outcome
from tests.chaos.site import Process
from tests.chaos.traffic import traffic

DRAIN_SECONDS = 60


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("restarted", seed)
    settings = {"DRAIN_SECONDS": str(DRAIN_SECONDS)}
    with bench.site.changed(**settings) as first, bench.site.second_process(**settings) as second:
        ready, complaints = [first, second], []
        async with traffic(bench, chance, name, lambda: chance.choice(ready).url) as asked:
            await asyncio.sleep(1)
            for process in (first, second):
                ready.remove(process)
                complaints += await _restart(process, settings)
                ready.append(process)
                await asyncio.sleep(1)
        complaints += bench.judged(name, asked)
    broken = sum(each.reader.broken for each in asked)
    note = f"{len(asked)} sends; {broken} connections broke and resumed"
    return Outcome(complaints, len(complaints), "problems", [note])


async def _restart(process: Process, settings: dict[str, str]) -> list[str]:
    process.send(signal.SIGTERM)
    seconds = await asyncio.to_thread(process.wait, DRAIN_SECONDS + 15.0)
    await asyncio.to_thread(process.start, **settings)
    return [] if seconds is not None else ["a process did not end in time"]
