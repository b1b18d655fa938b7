"""SIGTERM during answers: all text is stored, clients are told, and the process exits promptly."""

import signal

from tests.chaos.bench import Bench, ended
from tests.chaos.crash import STATES, crash
from tests.chaos.outcome import Outcome

EXIT_SECONDS = 5.0
#: Time for data to get from the upstream's socket to the site's process on a busy machine.
ON_THE_WAY_SECONDS = 0.05


async def run(bench: Bench, seed: int) -> Outcome:
    made = await crash(bench, "terminated", seed, signal.SIGTERM)
    left_running = [row.id for row in made.rows_at_exit.values() if not ended(row)]
    if left_running:
        made.complaints.append(f"I4 {len(left_running)} rows still running when the process left")
    if made.exit_seconds is not None and made.exit_seconds > EXIT_SECONDS:
        made.complaints.append(f"the process left after {made.exit_seconds:.1f} s")
    if made.exit_code not in {0, -signal.SIGTERM}:
        made.complaints.append(f"the process left with {made.exit_code}")
    torn = sum(each.reader.broken > 0 and each.reader.ended_early == 0 for each in made.asked)
    told = sum(each.reader.ended_early > 0 for each in made.asked)
    lost, oldest = made.lost(ON_THE_WAY_SECONDS)
    complaints = made.complaints + bench.judged(made.run, made.asked, STATES)
    return Outcome(
        complaints,
        (made.exit_seconds or 15.0) * 1000,
        "ms to exit",
        [f"{lost} tokens lost, oldest {oldest * 1000:.0f} ms; clean ends {told}, torn {torn}"],
    )
