"""One process's clock jumps by an hour and back: no answer is taken for dead, and none is revived."""

from datetime import datetime
from random import Random

from tests.chaos import database
from tests.chaos.bench import Bench
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.clock import faketime_library

HOUR_SECONDS = 3600
#: After the start of the process. On a busy machine only the second may be while answers are written.
JUMPS_AFTER_SECONDS, RETURNS_AFTER_SECONDS = 9, 40
ANSWER_SECONDS = 20
NOTICED = "the clock was set by"  # an error in the log, which is wanted here


async def run(bench: Bench, seed: int) -> Outcome:
    name = bench.new_run("jumps", seed)
    lie = {
        "LD_PRELOAD": str(faketime_library()),
        "FAKETIME": f"{Random(seed).choice((-1, 1)) * HOUR_SECONDS:+d}",
        "FAKETIME_START_AFTER_SECONDS": str(JUMPS_AFTER_SECONDS),
        "FAKETIME_STOP_AFTER_SECONDS": str(RETURNS_AFTER_SECONDS),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
        # On a busy machine libfaketime stops the process for seconds.
        "UPSTREAM_IDLE_SECONDS": "30",
        "UPSTREAM_CONTENT_SECONDS": "30",
    }
    with bench.site.second_process(**lie) as other:
        count = bench.size(8, 60)
        directives = [Directive(f"{name}{n}", 30 * ANSWER_SECONDS, 30) for n in range(count)]
        asked = bench.ask_in_turn(directives, [bench.site.first.url, other.url])
        await bench.read_all(asked)
        judged = bench.judged(name, asked)
    complaints = [each for each in judged if NOTICED not in each]
    if complaints == judged:
        complaints.append("no process noticed that its clock was set")
    spread = _spread(database.page_times(bench.site.database, name))
    if spread < HOUR_SECONDS / 2:
        complaints.append("no clock was an hour off while answers were written")
    return Outcome(complaints, spread, "s between the times of pages")


def missing() -> str:
    """Return why this machine can't run the experiment; empty if it can."""
    return "" if faketime_library() else "libfaketime is not installed"


def _spread(times: dict[str, list[str]]) -> float:
    """Return the largest difference, in seconds, between the times of any two pages."""
    moments = [datetime.fromisoformat(each) for pages in times.values() for each in pages]
    return (max(moments) - min(moments)).total_seconds()
