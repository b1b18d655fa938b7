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
