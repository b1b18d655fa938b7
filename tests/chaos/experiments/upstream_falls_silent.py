"""The upstream falls silent: the connection is closed in time, and the partial text is kept."""

import asyncio
from random import Random
from time import monotonic

from tests.chaos.bench import Asked, Bench
from tests.chaos.calls import Call
from tests.chaos.directive import STALLS, Directive
from tests.chaos.outcome import Outcome

#: The longest of the site's time limits (tests/chaos/site.py), plus a margin.
LIMITS_SECONDS = {"silence": 2.0, "stall": 2.0, "comments": 4.0}
GRACE_SECONDS = 2.0


async def run(bench: Bench, seed: int) -> Outcome:
    chance, name = Random(seed), bench.new_run("silent", seed)
    cases = [(fault, at) for fault in STALLS for at in (0, chance.randrange(1, 30))]
    asked = [
        bench.ask(
            Directive(
                f"{name}{number}",
                tokens=40,
                tokens_per_second=60,
                fault=fault,
                fault_at=0 if fault == "silence" else at,
            ),
            person=number,
        )
        for number, (fault, at) in enumerate(cases * bench.size(1, 8))
    ]
    began = monotonic()
    await bench.read_all(asked)
    complaints = bench.judged(name, asked, ["interrupted", "failed"])
    late = [each.reader.finished_at - began for each in asked]
    await asyncio.sleep(0.1)
    calls = bench.upstream.calls(name)
    for each in asked:
        complaints += _judged(each, calls.get(each.mark, []))
    return Outcome(complaints, max(late) * 1000, "ms to the end")


def _judged(asked: Asked, calls: list[Call]) -> list[str]:
    """Check that the answer ended in time with a message, and that its text is kept."""
    directive, reader = asked.directive, asked.reader
    found = []
    state = "interrupted" if directive.fault_at else "failed"
    if reader.terminal.get("state") != state:
        found.append(
            f"{directive.fault} at {directive.fault_at}: {reader.terminal.get('state')} {reader.error}"
        )
    if not reader.error.get("message"):
        found.append("no word about what happened")
    for call in calls:
        last = call.tokens[-1][0] if call.tokens else call.began_at
        if reader.text != call.text_until():
            found.append("text that had come is not kept")
        if not call.closed_at:
            found.append("I6 the upstream's connection is still open")
        elif call.closed_at - last > LIMITS_SECONDS[directive.fault] + GRACE_SECONDS:
            found.append(f"given up only after {call.closed_at - last:.1f} s")
    return [f"{asked.mark} ({directive.fault}): {problem}" for problem in found]
