"""Run one variant of each kind with `make test`, and the others with `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

#: Of a hundred examples of a property, how many `make test` tries.
SOME_EXAMPLES = 20
#: How many of a long list `make test` runs.
SOME = 6


def later(*variants: Any) -> list[Any]:
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.long)
        for each in variants
    ]


def examples(of_all: int) -> int:
    """Return how many examples to try: `of_all` with `make test-long`, fewer with `make test`."""
    return of_all * int(settings().max_examples) // 100


def some_now(variants: Iterable[Any]) -> list[Any]:
    """Return variants: some spread over the list now, the others with `make test-long`."""
    every = list(variants)
    step = -(-len(every) // SOME)
    return [each if at % step == 0 else later(each)[0] for at, each in enumerate(every)]
