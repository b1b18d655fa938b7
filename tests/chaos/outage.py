"""Shared by experiments in which something the site needs is away for a while."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome

TOKENS_PER_SECOND = 40
#: The site is back as long after what it needs: at full size, and beside other work.
BACK_SECONDS, BUSY_BACK_SECONDS = 3.0, 15.0
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Outage:
    """What goes away, in which way, and for how long. Both functions may block.

    Lines of the log that contain `logged` are expected. `streams` and `tokens_per_second` are of the
    answers that run when it begins, which may end in one of `states`; none may pause for longer than
    `pause_seconds`.
    """

    name: str
    begin: Callable[[], object]
    end: Callable[[], object]
    seconds: float
    logged: str = ""
    states: tuple[str, ...] = ("complete",)
    streams: int = 0  # 0: as many as usual
    tokens_per_second: int = TOKENS_PER_SECOND
    pause_seconds: float = float("inf")


async def through(bench: Bench, seed: int, outage: Outage) -> Outcome:
    """Let answers run through an outage, send during it, and measure when sends work again.

    Each send must come to a complete answer that is stored once, as for the page, which repeats a
    refused send by itself.
    """
    chance, run = Random(seed), bench.new_run(outage.name, seed)
    before = [
        _ask(bench, f"{run}before{n}", n, outage, outage.seconds)
        for n in range(outage.streams or _count(bench))
    ]
    reading = asyncio.create_task(bench.read_all(before))
    await _begun(before)
    await asyncio.sleep(chance.uniform(0, 1))
    await asyncio.to_thread(outage.begin)
    during = [_ask(bench, f"{run}during{n}", n, outage, 0.2) for n in range(_count(bench))]
    sending = asyncio.gather(*(_later(each, chance.uniform(0, outage.seconds)) for each in during))
    await asyncio.sleep(outage.seconds)
    await asyncio.to_thread(outage.end)
    ended = monotonic()
    probe = _ask(bench, f"{run}probe", 0, outage, 0.1)
    await _accepted(probe)
    back_seconds = (probe.reader.arrivals or [monotonic()])[0] - ended
    await asyncio.gather(reading, sending)
    asked = [*before, *during, probe]
    complaints = [
        each
        for each in bench.judged(run, asked, outage.states)
        if not (outage.logged and outage.logged in each)
    ]
    complaints += [
        f"{each.mark}: refused, {each.reader.error}"
        for each in asked
        if not each.reader.generation_id
    ]
    limit = bench.size(BUSY_BACK_SECONDS, BACK_SECONDS)
    if back_seconds > limit:
        complaints.append(f"sends worked again only after {back_seconds:.1f} s (limit {limit} s)")
    pause = max(gap for each in before for gap in _pauses(each))
    if pause > outage.pause_seconds:
        complaints.append(f"a running answer paused for {pause:.1f} s")
    refusals = sum(each.reader.statuses.count(503) for each in during)
    note = (
        f"away for {outage.seconds:.0f} s; {refusals} refusals for {len(during)} sends meanwhile;"
        f" {len(before)} answers ran on, with pauses of {pause:.1f} s at most"
    )
    return Outcome(complaints, back_seconds * 1000, "ms until sends worked again", [note])


def _pauses(asked: Asked) -> list[float]:
    """Return the seconds between the pieces of an answer, as its reader had them."""
    return [0.0, *(after - before for before, after in pairwise(asked.reader.arrivals))]


def _count(bench: Bench) -> int:
    return bench.size(6, 40)


def _ask(bench: Bench, mark: str, person: int, outage: Outage, seconds: float) -> Asked:
    tokens = int((seconds + 2) * outage.tokens_per_second)
    directive = Directive(mark, tokens, outage.tokens_per_second, witness=False)
    patience = outage.seconds + PATIENCE_SECONDS
    return bench.ask(directive, person=person, patience_seconds=patience)


async def _begun(asked: list[Asked]) -> None:
    give_up_at = monotonic() + PATIENCE_SECONDS
    while idle := [each for each in asked if not each.reader.arrivals]:
        if monotonic() > give_up_at:
            reader = idle[0].reader
            what = f"{reader.statuses}, {reader.error}, {reader.broken} connections broken"
            raise RuntimeError(f"{len(idle)} of {len(asked)} answers did not begin: {what}")
        await asyncio.sleep(0.02)


async def _later(asked: Asked, after_seconds: float) -> None:
    await asyncio.sleep(after_seconds)
    await asked.reader.run()


async def _accepted(probe: Asked) -> None:
    """Send again and again, without the pauses of a page."""
    give_up_at = monotonic() + probe.reader.patience_seconds
    while not probe.reader.finished and monotonic() < give_up_at:
        await probe.reader.once()
        await asyncio.sleep(0.05)
    await probe.reader.run()
