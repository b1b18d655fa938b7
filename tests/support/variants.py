"""One of each kind is seen by every `make test`; the others of its kind by `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest

#: How many of a long list are tried by every `make test`.
SOME = 6


def later(*variants: Any) -> list[Any]:
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.long)
        for each in variants
    ]


def some_now(variants: Iterable[Any]) -> list[Any]:
    """Of a long list of one kind, some spread over it; the others later."""
    every = list(variants)
    step = -(-len(every) // SOME)
    return [each if at % step == 0 else later(each)[0] for at, each in enumerate(every)]
