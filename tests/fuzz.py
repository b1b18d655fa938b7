"""Try many random inputs: `python -m tests.fuzz [--cases 100000] [--seed 7] [kinds]`.

Kinds are streams of providers whose meaning is known, streams with nonsense, answers in all formats
of the API, and imports. `make test` tries some of each with Hypothesis, which finds the smallest
that fails; this is a hundred times as fast. Each case has a seed of its own, which is printed if it
fails: `--cases 1 --seed` repeats it.
"""

import argparse
import os
import time
import traceback
from collections.abc import Callable
from random import Random

import django

Check = Callable[[Random], None]
MOST_SHOWN = 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--cases", type=int, default=100_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first case")
    parser.add_argument("kinds", nargs="*", help="all, if none is named")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    print(f"seeds from {options.seed}", flush=True)
    failed = 0
    for name, check in checks().items():
        if not options.kinds or name in options.kinds:
            failed += run(name, check, range(options.seed, options.seed + options.cases))
    return min(failed, 1)


def checks() -> dict[str, Check]:
    from tests.import_export.random_exports import check_import
    from tests.support.api.random_answers import check_formats
    from tests.support.upstream.random_streams import check_exactly, check_loss

    return {
        "streams": check_exactly,
        "nonsense": check_loss,
        "formats": check_formats,
        "imports": check_import,
    }


def run(name: str, check: Check, seeds: range) -> int:
    """Try all seeds; print the first that fail, and return how many did."""
    failed, began = 0, time.process_time()
    for seed in seeds:
        try:
            check(Random(seed))
        except Exception:
            failed += 1
            if failed <= MOST_SHOWN:
                print(f"{name}, seed {seed}:\n{traceback.format_exc()}")
    seconds = time.process_time() - began
    print(f"{name}: {len(seeds):,} cases, {failed:,} failed, {seconds:.0f} s of CPU", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
