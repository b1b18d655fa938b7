"""Run one variant of each kind with `make test`, and the others with `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

#: Of a hundred examples of a property, how many `make test` tries.
SOME_EXAMPLES = 20
#: How many of a long list `make test` runs.
SOME = 6
#: How many variants of a test that uses the database `make test` runs: each takes a twentieth of a
#: second or more.
SOME_OF_DATABASE = 4


def later(*variants: Any) -> list[Any]:
    return [_later(each) for each in variants]


def _later(variant: Any) -> Any:
    if isinstance(variant, ParameterSet):
        return variant._replace(marks=(*variant.marks, pytest.mark.long))
    return pytest.param(
        *(variant if isinstance(variant, tuple) else (variant,)), marks=pytest.mark.long
    )


def examples(of_all: int) -> int:
    """Return how many examples to try: `of_all` with `make test-long`, fewer with `make test`."""
    return of_all * int(settings().max_examples) // 100


def some_now(variants: Iterable[Any], at_once: int = SOME) -> list[Any]:
    """Return variants: some spread over the list now, the others with `make test-long`."""
    every = list(variants)
    step = -(-len(every) // at_once)
    return [each if at % step == 0 else later(each)[0] for at, each in enumerate(every)]


def leave_variants(items: Iterable[pytest.Item]) -> None:
    """Leave most variants of one test to `make test-long` if each of them uses the database.

    A test whose variants are each a behaviour of its own is marked `every_variant`.
    """
    candidates = [each for each in items if _may_wait(each)]
    kept = spread(len(candidates), SOME_OF_DATABASE)
    for at, item in enumerate(candidates):
        if at not in kept:
            item.add_marker(pytest.mark.long)


def spread(count: int, chosen: int) -> set[int]:
    """Return some of so many places, among them the first and the last.

    They are not at equal distances of a whole number, which could choose the same value of one
    parameter each time.
    """
    if count <= chosen:
        return set(range(count))
    return {round(at * (count - 1) / (chosen - 1)) for at in range(chosen)}


def _may_wait(item: pytest.Item) -> bool:
    uses_database = bool({"db", "transactional_db"} & set(getattr(item, "fixturenames", ())))
    is_wanted = any(map(item.get_closest_marker, ("long", "quick", "every_variant")))
    return hasattr(item, "callspec") and uses_database and not is_wanted
