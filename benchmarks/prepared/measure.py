"""Time each use in turns with the ORM, in a transaction that is rolled back.

CPU time of this process is measured: how long PostgreSQL takes is the same for both.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import transaction

CALLS = 40
MAX_RATIO = 0.85


class Use(NamedTuple):
    """One thing that the site does, by the ORM and as it is done."""

    name: str
    orm: Callable[[], Any]
    prepared: Callable[[], Any]


def report(uses: list[Use], repeats: int) -> int:
    """Print a table; return 1 if a use gains too little."""
    print("| use | ORM, µs | prepared, µs | ratio |\n|---|---|---|---|")
    slow = 0
    for use in uses:
        with transaction.atomic():
            orm, prepared = _shortest(use, repeats)
            transaction.set_rollback(True)
        ratio = prepared / orm
        slow += ratio > MAX_RATIO
        print(f"| {use.name} | {orm:.0f} | {prepared:.0f} | {ratio:.2f} |", flush=True)
    return int(slow > 0)


def _shortest(use: Use, repeats: int) -> tuple[float, float]:
    """Return the shortest mean of a call by the ORM and of a prepared one, in µs."""
    use.orm()
    use.prepared()
    rounds = [(_mean(use.orm), _mean(use.prepared)) for _ in range(repeats)]
    orm, prepared = zip(*rounds, strict=True)
    return min(orm), min(prepared)


def _mean(call: Callable[[], Any]) -> float:
    began = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - began) / CALLS * 1e6
