"""The measurement tells quadratic costs from linear ones, whatever the processor's caches do."""

from collections.abc import Callable

import pytest

from tests.support import growth

CACHED_UNITS = 10_000


class Clock:
    """Processor time that passes only by what a call is said to cost."""

    def __init__(self) -> None:
        self.now = 0.0

    def thread_time(self) -> float:
        return self.now

    def costing(self, microseconds: Callable[[int], float]) -> Callable[[int], None]:
        def call(size: int) -> None:
            self.now += microseconds(size) / 1e6

        return call


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(growth, "time", clock)
    return clock


def same(size: int) -> int:
    return size


def test_a_linear_cost_passes(clock: Clock) -> None:
    growth.assert_linear(clock.costing(lambda size: size), same)


def test_a_linear_cost_passes_where_the_input_leaves_the_caches(clock: Clock) -> None:
    growth.assert_linear(
        clock.costing(lambda size: size if size < CACHED_UNITS else 3.2 * size), same
    )


@pytest.mark.parametrize("linear", [0, 1, 2])
def test_a_quadratic_cost_fails(clock: Clock, linear: int) -> None:
    with pytest.raises(AssertionError, match="takes too long"):
        growth.assert_linear(clock.costing(lambda size: linear * size + size**2 / 1000), same)
