"""`python -m tests.mutants` changes the code in many places, and lists changes that no test notices.

The exit code is 0 if tests noticed at least as many as `--at-least` says, and if no entry of
explained.toml is out of date.
"""

import argparse
import random
import shlex
import signal
import sys
from pathlib import Path

from tests.mutants import explained, results, sample
from tests.mutants.reach import Reach
from tests.mutants.results import ALIVE, Results
from tests.mutants.run import Run
from tests.mutants.targets import files_by_group
from tests.mutants.trial import Trial
from tests.support.servers.server import ROOT

RESULTS = ROOT / "var" / "mutants" / "results.jsonl"


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # copies are deleted then, too
    options = _options()
    reasons = explained.reasons()
    if stale := explained.stale(reasons):
        print("explained.toml describes code that has changed:", *stale, sep="\n    ")
        return 1
    print(f"seed {options.seed}", flush=True)
    drawn = sample.draw(files_by_group(), options.count, options.seed, ROOT, options.only)
    if not any(drawn.values()):
        print(f"nothing to change in {options.only}")
        return 2
    is_python = any(each.path.endswith(".py") for group in drawn.values() for each in group)
    reach = (
        Reach.load(anew=options.record, processes=options.workers) if is_python else Reach.empty()
    )
    kept = Results(options.resume or RESULTS, is_resumed=bool(options.resume))
    with Run.started(ROOT, options.workers, reach, reasons, kept, options.seconds) as run:
        trials = {group: run.of(mutants) for group, mutants in drawn.items()}
        broken = run.failing_unchanged(each for group in trials.values() for each in group)
    return _report(trials, broken, options)


def _report(trials: dict[str, list[Trial]], broken: list[str], options: argparse.Namespace) -> int:
    everything = [each for group in trials.values() for each in group]
    for trial in everything:
        if trial.verdict in ALIVE:
            print(f"\n{trial.verdict}: {trial.mutant}")
    print(f"\n{results.table(trials)}\n\nAgain: {_command(options)}")
    if broken:
        print("These tests fail on the unchanged code, too:", *broken, sep="\n    ")
        return 1
    if options.report:
        results.write(options.report, trials, _command(options))
    return int(results.rate(everything) * 100 < options.at_least)


def _command(options: argparse.Namespace) -> str:
    only = f" --only {shlex.quote(options.only)}" if options.only else ""
    return f"python -m tests.mutants --count {options.count} --seed {options.seed}{only}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many places to change")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument(
        "--only", default="", metavar="MODULE", help="a group, or a pattern of paths"
    )
    parser.add_argument("--workers", type=int, default=2, help="how many to try at the same time")
    parser.add_argument(
        "--seconds", type=float, default=120, help="of tests for each place, at most"
    )
    parser.add_argument("--at-least", type=float, default=0, help="the percentage to reach")
    parser.add_argument("--record", action="store_true", help="record anew what tests execute")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="skip what FILE says is killed")
    parser.add_argument("--report", type=Path, help="the document whose table to replace")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(f"Interrupted. --resume goes on; without it, results are in {RESULTS}.")
