"""Stop answers from a second tab or session, and measure how soon the upstream is disconnected.

Also when another process than the one that is asked writes the answer.
"""

import asyncio
from dataclasses import dataclass
from random import Random
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.judge import closed_within
from tests.chaos.outcome import Outcome

HERE_SECONDS, ELSEWHERE_SECONDS = 0.3, 0.6


@dataclass
class Stopped:
    asked: Asked
    at: float
    limit_seconds: float


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("stops", seed)
    count = bench.size(6, 100)
    done = [await _stop(bench, chance, f"{name}{n}", None) for n in range(count)]
    with bench.site.second_process() as other:
        more = [await _stop(bench, chance, f"{name}x{n}", other.url) for n in range(count)]
        found = bench.judged(f"{name}x", [each.asked for each in more], ["stopped"])
    done += more
    found += bench.judged(name, [each.asked for each in done], ["stopped"])
    calls = bench.upstream.calls(name)
    for each in done:
        for call in calls.get(each.asked.mark, []):
            found += closed_within(call, each.at, each.limit_seconds)
    here = _worst(done[:count], calls)
    elsewhere = _worst(more, calls)
    note = f"worst in one process {here:.0f} ms, from another process {elsewhere:.0f} ms"
    return Outcome(found, max(here, elsewhere), "ms", [note])


async def _stop(bench: Bench, chance: Random, mark: str, stopped_at: str | None) -> Stopped:
    """Stop an endless answer from the same person's other session."""
    person = chance.randrange(8)
    directive = Directive(mark, tokens=-1, tokens_per_second=chance.choice((20, 60)))
    asked = bench.ask(directive, person=person, patience_seconds=20)
    reading = asyncio.create_task(asked.reader.run())
    while not asked.reader.pieces:
        await asyncio.sleep(0.005)
    await asyncio.sleep(chance.uniform(0, 0.3))
    address = (lambda: stopped_at) if stopped_at else None
    other = bench.visitor(person, session=chance.choice((0, 1)), address=address)
    at = monotonic()
    await other.stop(asked.reader.generation_id)
    await reading
    await asyncio.sleep(0.02)
    return Stopped(asked, at, ELSEWHERE_SECONDS if stopped_at else HERE_SECONDS)


def _worst(done: list[Stopped], calls: dict) -> float:  # type: ignore[type-arg]
    """Return the milliseconds from the click to the end of the upstream's connection."""
    took = [
        (call.closed_at - each.at) * 1000
        for each in done
        for call in calls.get(each.asked.mark, [])
        if call.closed_at
    ]
    return max(took, default=0.0)
