"""`python -m tests.chaos` runs experiments and prints a table; the exit code is 0 if all pass.

Every experiment runs with one seed, then all with the next. `--results FILE` also writes each run
into FILE, and skips the runs that FILE holds, so that a long table can be interrupted and continued,
or shared by several processes.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.chaos import registry, report, results
from tests.chaos.bench import Scale
from tests.chaos.outcome import Run, table


def main() -> int:
    options = _options()
    names = [name.strip() for name in options.only.split(",")] if options.only else []
    unknown = set(names) - registry.EXPERIMENTS.keys()
    if unknown:
        print(
            f"no such experiment: {', '.join(unknown)}; there are {', '.join(registry.EXPERIMENTS)}"
        )
        return 2
    runs = results.read(options.results) if options.results else []
    known = {(run.experiment, run.stores, run.seed) for run in runs}
    for stores in registry.STORES:
        if options.stores in {stores, "both"}:
            for run in _run_all(stores, names or list(registry.EXPERIMENTS), options, known):
                runs.append(run)
                if options.results:
                    results.append(options.results, run)
    print(f"\nsize {options.size}, seeds from {options.first_seed}\n{table(runs)}")
    if options.report:
        report.write(options.report, runs, options.size)
    return int(not all(run.green for run in runs))


def _run_all(
    stores: str, names: list[str], options: argparse.Namespace, known: set[tuple[str, str, int]]
) -> Iterator[Run]:
    possible = [name for name in names if registry.suits(name, stores) and _can_run(name, stores)]
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    wanted = [
        (name, seed) for seed in seeds for name in possible if (name, stores, seed) not in known
    ]
    if not wanted:
        return
    with registry.places(stores) as (site, upstream):
        for name, seed in wanted:
            began = time.monotonic()
            run = registry.run(name, seed, site, upstream, Scale(options.size))
            _tell(run, time.monotonic() - began)
            yield run


def _can_run(name: str, stores: str) -> bool:
    if lack := registry.missing(name):
        print(f"{name} with {stores}: not run, {lack}")
    return not lack


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--stores", choices=(*registry.STORES, "both"), default="both")
    parser.add_argument("--seeds", type=int, default=1, help="how many runs of each")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--only", default="", help=",".join(registry.EXPERIMENTS))
    parser.add_argument("--size", choices=list(Scale), default=Scale.SMALL)
    parser.add_argument("--results", type=Path, help="a file of runs to continue (JSON lines)")
    parser.add_argument("--report", type=Path, help="the document whose table to replace")
    return parser.parse_args()


def _tell(run: Run, seconds: float) -> None:
    outcome = run.outcome
    colour = "green" if run.green else "RED"
    figure = f"{outcome.figure:,.0f} {outcome.unit}"
    where = f"{run.experiment} with {run.stores}"
    print(f"{where}, seed {run.seed}: {colour}, {figure} ({seconds:.1f} s)", flush=True)
    logged_first = sorted(outcome.complaints, key=lambda line: not line.startswith("server log"))
    for line in [*outcome.notes, *logged_first[:5]]:
        print(f"    {line}", flush=True)
    if len(outcome.complaints) > 5:
        print(f"    and {len(outcome.complaints) - 5} more")


if __name__ == "__main__":
    sys.exit(main())
