"""Measure how the cost of a call grows with its input, in processor time, so load doesn't matter."""

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

T = TypeVar("T")

#: Input sizes are doubled until a call takes this long, which the clock measures well.
MEASURABLE_SECONDS = 0.004
FIRST_SIZE, LAST_SIZE = 500, 64_000
#: Four times the input takes four times as long if the cost is linear, 16 times if it is quadratic.
MAX_RATIO = 8.0
#: An input that no longer fits the processor's caches can take three times as long, but only once:
#: 16 times the input then takes about 50 times as long, and 256 times if the cost is quadratic.
WIDE_FACTOR, WIDE_MAX_RATIO = 16, 110.0
REPEATS, ATTEMPTS = 3, 4
#: A call this fast with an input of `SCREENED_SIZE` can't be quadratic.
FAST_SECONDS, SCREENED_SIZE = 0.003, 6_000


def _seconds(run: Callable[[], object]) -> float:
    """Return the processor time of this thread for the fastest of several calls."""
    best = float("inf")
    for _ in range(REPEATS):
        before = time.thread_time()
        run()
        best = min(best, time.thread_time() - before)
        if best > 1:
            break  # a slow call is measured well enough
    return best


def assert_screened_linear(
    call: Callable[[T], object], make: Callable[[int], T], what: str = ""
) -> None:
    """Do the same as `assert_linear`, but measure only once what is fast: for many inputs."""
    large = make(SCREENED_SIZE)
    before = time.thread_time()
    call(large)
    long = time.thread_time() - before
    if long < FAST_SECONDS:
        return
    small = make(SCREENED_SIZE // 4)
    before = time.thread_time()
    call(small)
    if long / (time.thread_time() - before) >= MAX_RATIO:
        assert_linear(call, make, what)


def growth(
    call: Callable[[T], object], make: Callable[[int], T], factor: int = 4
) -> tuple[float, int]:
    """Return how many times as long `call` takes for `factor` times the input, and the smaller size.

    `make(size)` returns an input of about `size` units.
    """
    size = FIRST_SIZE
    small = make(size)
    once = _seconds(partial(call, small))
    while once < MEASURABLE_SECONDS and size < LAST_SIZE:
        size *= 2
        small = make(size)
        once = _seconds(partial(call, small))
    large = make(factor * size)
    return _seconds(partial(call, large)) / max(once, MEASURABLE_SECONDS / 4), size


def assert_linear(call: Callable[[T], object], make: Callable[[int], T], what: str = "") -> None:
    """Fail if the cost of `call` grows much faster than its input.

    A measurement can be spoilt by a busy machine, so only one that is always bad counts.
    """
    gc.disable()
    try:
        ratios = []
        for _ in range(ATTEMPTS):
            ratio, size = growth(call, make)
            if ratio < MAX_RATIO:
                return
            wide_ratio, wide_size = growth(call, make, WIDE_FACTOR)
            if wide_ratio < WIDE_MAX_RATIO:
                return
            ratios.append(f"{ratio:.1f} at {size}, {wide_ratio:.0f} at {wide_size}")
    finally:
        gc.enable()
    raise AssertionError(
        f"{what} takes too long for 4 and {WIDE_FACTOR} times the input: {'; '.join(ratios)} times"
    )
