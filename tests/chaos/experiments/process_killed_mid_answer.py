"""SIGKILL during answers: text that arrived 250 ms before is stored, and users can continue."""

import signal
from random import Random

from tests.chaos.bench import Bench
from tests.chaos.continuation import continued
from tests.chaos.crash import STATES, crash
from tests.chaos.outcome import Outcome

WINDOW_SECONDS = 0.25
BUSY_WINDOW_SECONDS = 1.5  # next to other tests, a process may not get the CPU for as long


async def run(bench: Bench, seed: int) -> Outcome:
    made = await crash(bench, "killed", seed, signal.SIGKILL)
    lost, oldest = made.lost(bench.size(BUSY_WINDOW_SECONDS, WINDOW_SECONDS))
    complaints = made.complaints + bench.judged(made.run, made.asked, STATES)
    fetched = sum(each.reader.fetched for each in made.asked)
    complaints += await continued(bench, made.run, made.asked, Random(seed))
    restart = (made.terminal_seconds or 0.0) * 1000
    note = f"{lost} tokens lost; {fetched} took the stored text; all ended {restart:.0f} ms on"
    return Outcome(complaints, oldest * 1000, "ms lost", [note])
