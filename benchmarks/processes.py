"""Measure what a second process adds: `make bench-processes`.

A site of one process and one of two, both on PostgreSQL and Redis, take turns: the one with two is
asked twice as much at once. What a process can answer is limited by its core. So if two processes
use twice the CPU time of one for twice the answers, a second core doubles what the site can answer;
the result is how many times as much it is. Whoever asks needs a core, too, and a small machine has
none left, so the most that both answer is not measured. Fails below 1.8, or where an answer does.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.streams import load
from benchmarks.streams.figures import problem_of
from benchmarks.streams.load import Plan
from benchmarks.streams.programs import Upstream, upstream
from benchmarks.streams.site import STORED_KIND, Site, site
from benchmarks.streams.sizes import FULL
from benchmarks.streams.usage import cpu_of, tree
from tests.chaos.stores import Redis

REPEATS = int(os.environ.get("REPEATS", "5"))
STREAMS = int(os.environ.get("STREAMS", "100"))
ANSWERS_AT_ONCE = 8
LEAST = 1.8
#: Below this share of the CPU time, a process was hardly asked, and the result says nothing.
LEAST_SHARE = 0.3
PLANS = {
    "short turns": Plan(ANSWERS_AT_ONCE, 0, 3, rounds=20),
    "steady answers": Plan(STREAMS, 50, 200, ramp_seconds=1),
}


def main() -> int:
    costs: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        model = stack.enter_context(upstream())
        sites = stack.enter_context(_sites(model, Path(folder)))
        for each in sites:  # what is made at the first request is made
            model.set_pace(0, 3)
            load.run(each.target(STORED_KIND), Plan(ANSWERS_AT_ONCE, 0, 3, rounds=3), model.pid)
        for _ in range(REPEATS):
            for name, plan in PLANS.items():
                model.set_pace(plan.rate, plan.tokens)
                for count, each in enumerate(sites, 1):
                    shared = replace(plan, readers=plan.readers * count)
                    costs.setdefault((name, count), []).append(_cost(each, shared, model.pid))
    return _report(costs)


@contextmanager
def _sites(model: Upstream, folder: Path) -> Iterator[list[Site]]:
    """Start a site of one process, and one of two."""
    cores = os.sched_getaffinity(0)
    with ExitStack() as stack:
        found = []
        for count in ("1", "2"):
            place = folder / count
            place.mkdir()
            redis = Redis(place)
            redis.start()
            stack.callback(redis.kill)
            settings = {"WEB_CONCURRENCY": count, "REDIS_URL": redis.url}  # uvicorn's processes
            found.append(
                stack.enter_context(site("PostgreSQL", model, place, FULL, cores, **settings))
            )
        yield found


def _cost(asked: Site, plan: Plan, upstream_pid: int) -> float:
    """Return the CPU time of the site's processes for an answer, in milliseconds."""
    target = replace(asked.target(STORED_KIND), database_pid=0)
    before = {pid: cpu_of(pid) for pid in tree(target.pid)}
    run = load.run(target, plan, upstream_pid)
    if problem := problem_of(plan, run):
        raise SystemExit(problem)
    shares = sorted((cpu_of(pid) - before[pid]) / run.cpu_seconds for pid in before)
    if len(shares) > 1 and shares[-2] < LEAST_SHARE:
        raise SystemExit(f"One process took only {shares[-2]:.0%} of the CPU time.")
    return run.cpu_seconds * 1e3 / (plan.readers * plan.rounds)


def _report(costs: dict[tuple[str, int], list[float]]) -> int:
    worst = 2.0
    for name in PLANS:
        one, two = (statistics.median(costs[name, count]) for count in (1, 2))
        ratio = 2 * one / two
        worst = min(worst, ratio)
        print(f"{name}: {one:.2f} ms of CPU an answer by one process, {two:.2f} ms by two;")
        print(f"  two processes answer {ratio:.2f} times as much, at least {LEAST}")
    return 0 if worst >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
