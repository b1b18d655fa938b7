"""Counts per minute begin again with each minute, and are kept for a bounded number of keys."""

import pytest

from chat.lib import rate_window
from chat.lib.rate_window import MinuteCounter


class Clock:
    now = 6010.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(rate_window, "time", clock)
    monkeypatch.setattr(rate_window, "current_period", current_period)
    return clock


#: The function itself: each test has another one, in which no time passes.
current_period = rate_window.current_period


def test_a_new_minute_begins_at_zero(clock: Clock) -> None:
    counter = MinuteCounter()
    assert [counter.add("vera"), counter.add("vera"), counter.count("bob")] == [1, 2, 0]
    clock.now = 6019.9
    assert counter.count("vera") == 2
    assert rate_window.seconds_left() == pytest.approx(40.1)
    clock.now = 6060.0
    assert [counter.count("vera"), counter.add("vera")] == [0, 1]


def test_the_oldest_keys_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_window, "MAX_KEYS", 2)
    counter = MinuteCounter()
    for key in ("first", "second", "first", "third"):
        counter.add(key)
    assert [counter.count(key) for key in ("first", "second", "third")] == [2, 0, 1]


def test_no_time_passes_in_tests() -> None:
    assert rate_window.current_period is not current_period
    assert rate_window.current_period(60) == rate_window.current_period(60)
