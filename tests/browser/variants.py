"""One of each kind is seen by every `make test`; the others of its kind by `make test-long`."""

from typing import Any

import pytest


def later(*variants: Any) -> list[Any]:
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.long)
        for each in variants
    ]
