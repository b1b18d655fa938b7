"""One of two processes is killed and stays dead: the other one closes its answers."""

import asyncio
import signal
from random import Random
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome

ENDED_SECONDS = 5.0


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("orphans", seed)
    killed, address = bench.site.first, bench.site.first.url
    with bench.site.second_process() as other:
        asked = [
            bench.ask(Directive(f"{name}{n}", -1, 50), person=n, address=lambda: address)
            for n in range(bench.size(8, 100))
        ]
        reading = asyncio.create_task(bench.read_all(asked))
        await _all_begun(asked)
        await asyncio.sleep(chance.uniform(0, 1))
        killed.send(signal.SIGKILL)
        began, address = monotonic(), other.url
        seconds = await bench.all_ended(ENDED_SECONDS * 2)
        await asyncio.to_thread(killed.wait, 5.0)
        await reading
        complaints = bench.judged(name, asked, ["interrupted"])
        await asyncio.to_thread(killed.start)
    if seconds is None or seconds > ENDED_SECONDS:
        complaints.append(f"I4 what the dead process left had not ended after {ENDED_SECONDS} s")
    told = max(each.reader.finished_at for each in asked) - began
    note = f"everybody knew after {told * 1000:.0f} ms"
    return Outcome(complaints, (seconds or 2 * ENDED_SECONDS) * 1000, "ms until ended", [note])


async def _all_begun(asked: list[Asked]) -> None:
    """Wait until all sends were accepted; otherwise they would reach the other process."""
    async with asyncio.timeout(30):
        while not all(each.reader.arrivals for each in asked):
            await asyncio.sleep(0.02)
