"""Shared by experiments that end a process: start answers, send a signal, restart, reconnect."""

import asyncio
import signal
from dataclasses import dataclass, field
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.database import Row
from tests.chaos.directive import Directive
from tests.chaos.judge import lost_tokens

TERMINAL_SECONDS = 5.0
LATE = 1  # every fourth message is sent around the time of the signal
STATES = ("complete", "interrupted")


@dataclass
class Crash:
    """A crash; `rows_at_exit` is what was stored when the process had ended."""

    bench: Bench
    run: str
    asked: list[Asked]
    prunes: bool
    struck_at: float = 0.0
    exit_seconds: float | None = None
    exit_code: int | None = None
    rows_at_exit: dict[str, Row] = field(default_factory=dict)
    terminal_seconds: float | None = None
    complaints: list[str] = field(default_factory=list)

    def lost(self, tolerance_seconds: float) -> tuple[int, float]:
        """Return the number of tokens not stored, and the age in seconds of the oldest at the signal."""
        calls = self.bench.upstream.calls(self.run)
        rows = database.with_question(self.bench.site.database, self.run)
        total, oldest = 0, 0.0
        for row in rows.values():
            mark = row.question.partition('"mark": "')[2].partition('"')[0]
            for call in calls.get(mark, [])[:1]:
                count, age = lost_tokens(call, row.text, self.struck_at)
                total, oldest = total + count, max(oldest, age)
                if age > tolerance_seconds:
                    ms = age * 1000
                    self.complaints.append(
                        f"{mark}: {count} tokens lost, the oldest {ms:.0f} ms old"
                    )
        return total, oldest


async def crash(bench: Bench, name: str, seed: int, number: signal.Signals) -> Crash:
    chance, run = Random(seed), bench.new_run(name, seed)
    back, later = asyncio.Event(), asyncio.Event()
    back.set()
    asked = _sends(bench, chance, run, back, later)
    made = Crash(bench, run, asked, prunes=chance.random() < 0.35)
    strikes_after = chance.uniform(0.3, bench.size(1.2, 3.0))
    begins_after = [
        strikes_after + chance.uniform(-0.06, 0.06) if n % 4 == LATE else 0.0
        for n in range(len(asked))
    ]
    reading = asyncio.gather(*map(_begin, asked, begins_after))
    await asyncio.sleep(strikes_after)
    if made.prunes:
        back.clear()
    await _strike(made, number)
    await _restart(made)
    if made.prunes:
        await asyncio.to_thread(bench.site.prune_logs)
    back.set()
    later.set()
    await reading
    return made


async def _begin(asked: Asked, after_seconds: float) -> None:
    """Start the sends, a few of them around the time of the signal."""
    await asyncio.sleep(after_seconds)
    await asked.reader.run()


def _sends(
    bench: Bench, chance: Random, run: str, back: asyncio.Event, later: asyncio.Event
) -> list[Asked]:
    """Return sends: some readers stay, others disconnect early and return at the end."""
    asked = []
    for number in range(bench.size(12, 200)):
        directive = Directive(
            f"{run}{number}",
            tokens=20 if number % 4 == LATE else chance.randrange(20, bench.size(120, 260)),
            tokens_per_second=chance.choice((40, 60, 90)),
            torn=True,
        )
        leaves = number % 4 == 0
        cuts = [chance.choice((0, 0, 5))] if leaves else []
        each = bench.ask(directive, cuts, person=number)
        each.reader.away = later if leaves else back
        asked.append(each)
    return asked


async def _strike(made: Crash, number: signal.Signals) -> None:
    process = made.bench.site.first
    made.struck_at = monotonic()
    process.send(number)
    made.exit_seconds = await asyncio.to_thread(process.wait, 15.0)
    made.exit_code = process.exit_code
    if made.exit_seconds is None:
        made.complaints.append(f"{number.name}: still there after 15 s")
        process.send(signal.SIGKILL)
        await asyncio.to_thread(process.wait, 5.0)
    made.rows_at_exit = database.with_question(made.bench.site.database, made.run)


async def _restart(made: Crash) -> None:
    await asyncio.to_thread(made.bench.site.first.start)
    began = monotonic()  # the time to start a process is not judged
    if await made.bench.all_ended(TERMINAL_SECONDS + 5) is None:
        made.complaints.append("I4 rows still say running 10 s after the restart")
    made.terminal_seconds = monotonic() - began
    if made.terminal_seconds > TERMINAL_SECONDS:
        made.complaints.append(f"I4 all had ended only {made.terminal_seconds:.1f} s after restart")
