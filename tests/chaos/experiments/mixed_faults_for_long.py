"""Half an hour of load, with every twentieth answer disturbed: memory, threads and files stay level."""

import asyncio
from collections.abc import Callable
from random import Random
from statistics import median
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import CUTS, STALLS, Directive
from tests.chaos.outcome import Outcome
from tests.chaos.reader import BEFORE_HEADERS
from tests.chaos.site import Resources

DISTURBED = 0.05
STATES = ("complete", "stopped", "interrupted", "failed")
#: The ended answers that a process keeps for late readers have reached their limit by then.
WARM_PART = 0.5
GROWTH_MEGABYTES, GROWTH_FILES, GROWTH_THREADS = 24, 8, 2
JUDGED_AT_ONCE = 300


async def run(bench: Bench, seed: int) -> Outcome:
    chance, process = Random(seed), bench.site.first
    await bench.warmed_up(process)
    ends_at = monotonic() + bench.size(20, 1800)
    samples: list[Resources] = []
    watching = asyncio.create_task(_watch(lambda: process.resources, samples))
    complaints: list[str] = []
    count = 0
    while monotonic() < ends_at:
        run = bench.new_run("mixed", seed)
        asked = await _some(bench, chance, run, ends_at)
        count += len(asked)
        complaints += bench.judged(run, [each for each in asked if each.readers], STATES)
        bench.upstream.forget(run)
    watching.cancel()
    megabytes, grown = _grown(samples[int(len(samples) * WARM_PART) :])
    last = samples[-1]
    note = f"{count} sends; {last.file_descriptors} descriptors, {last.threads} threads"
    return Outcome([*complaints, *grown], megabytes, "MB more", [note])


async def _some(bench: Bench, chance: Random, run: str, ends_at: float) -> list[Asked]:
    """Send from several people at once, until there are enough to be judged or time is over."""
    asked: list[Asked] = []

    async def one_person(person: int) -> None:
        while monotonic() < ends_at and len(asked) < JUDGED_AT_ONCE:
            asked.append(each := _send(bench, chance, f"{run}{len(asked)}", person))
            await _read(chance, each)

    await asyncio.gather(*(one_person(n) for n in range(bench.size(8, 40))))
    return asked


def _send(bench: Bench, chance: Random, mark: str, person: int) -> Asked:
    tokens = chance.randrange(10, 100)
    fault = chance.choice((*CUTS, *STALLS)) if chance.random() < DISTURBED / 2 else ""
    at = chance.randrange(tokens)
    directive = Directive(mark, tokens, 50, fault=fault, fault_at=at, times=1, witness=False)
    return bench.ask(directive, person=person)


async def _read(chance: Random, asked: Asked) -> None:
    """Read the answer; some clients disconnect for good, and some stop it."""
    if chance.random() >= DISTURBED / 2:
        await asked.reader.run()
    elif chance.random() < 0.5:
        await asked.reader.once(chance.choice((BEFORE_HEADERS, 0, 5)))
        asked.readers.clear()
    else:
        reading = asyncio.create_task(asked.reader.run())
        await asyncio.sleep(chance.uniform(0.2, 1))
        if asked.reader.generation_id:
            await asked.reader.visitor.stop(asked.reader.generation_id)
        await reading


async def _watch(look: Callable[[], Resources], samples: list[Resources]) -> None:
    while True:
        samples.append(look())
        await asyncio.sleep(0.5)


def _grown(samples: list[Resources]) -> tuple[float, list[str]]:
    """Compare the last third of some samples with the first; return megabytes and problems."""
    third = max(1, len(samples) // 3)
    found: dict[str, float] = {}
    for name in ("resident_kilobytes", "file_descriptors", "threads"):
        first, last = (
            median(getattr(each, name) for each in part)
            for part in (samples[:third], samples[-third:])
        )
        found[name] = last - first
    megabytes = found["resident_kilobytes"] / 1024
    limits = {
        "MB": (megabytes, GROWTH_MEGABYTES),
        "descriptors": (found["file_descriptors"], GROWTH_FILES),
        "threads": (found["threads"], GROWTH_THREADS),
    }
    problems = [
        f"I7 {grown:.0f} {what} more than before"
        for what, (grown, limit) in limits.items()
        if grown > limit
    ]
    return megabytes, problems
