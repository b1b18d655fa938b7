"""`python -m tests.chaos` runs experiments and prints a table; the exit code is 0 if all pass."""

import argparse
import sys
import time

from tests.chaos import registry
from tests.chaos.outcome import Run, table


def main() -> int:
    options = _options()
    kinds = ["daphne", "uvicorn"] if options.server == "both" else [options.server]
    names = [name.strip() for name in options.only.split(",")] if options.only else []
    unknown = set(names) - registry.EXPERIMENTS.keys()
    if unknown:
        print(
            f"no such experiment: {', '.join(unknown)}; there are {', '.join(registry.EXPERIMENTS)}"
        )
        return 2
    runs: list[Run] = []
    for kind in kinds:
        with registry.places(kind) as (site, upstream):
            for name in names or registry.EXPERIMENTS:
                if not registry.suits(name, kind):
                    continue
                for seed in range(options.first_seed, options.first_seed + options.seeds):
                    began = time.monotonic()
                    run = registry.run(name, seed, site, upstream, options.size == "full")
                    _tell(run, time.monotonic() - began)
                    runs.append(run)
    print(f"\nsize {options.size}, seeds from {options.first_seed}\n{table(runs)}")
    return int(not all(run.green for run in runs))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--server", choices=("daphne", "uvicorn", "both"), default="both")
    parser.add_argument("--seeds", type=int, default=1, help="how many runs of each")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--only", default="", help=",".join(registry.EXPERIMENTS))
    parser.add_argument("--size", choices=("small", "full"), default="small")
    return parser.parse_args()


def _tell(run: Run, seconds: float) -> None:
    outcome = run.outcome
    colour = "green" if run.green else "RED"
    figure = f"{outcome.figure:,.0f} {outcome.unit}"
    print(
        f"{run.experiment} on {run.server}, seed {run.seed}: {colour}, {figure} ({seconds:.1f} s)"
    )
    for line in [*outcome.notes, *outcome.complaints[:12]]:
        print(f"    {line}")
    if len(outcome.complaints) > 12:
        print(f"    and {len(outcome.complaints) - 12} more")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
