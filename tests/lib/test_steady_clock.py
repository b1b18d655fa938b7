"""After the clock was set, it isn't steady for an hour."""

import logging

import pytest

from tests.support.set_clock import HOUR, SetClock


@pytest.mark.parametrize("jump", [90 * 24 * HOUR, -2 * HOUR])
def test_after_a_jump_it_is_not_steady_for_an_hour(
    jump: float, caplog: pytest.LogCaptureFixture
) -> None:
    clock = SetClock()
    assert clock.is_steady_after(10)
    clock.offset += jump
    with caplog.at_level(logging.ERROR):
        assert not clock.is_steady_after(10)
        assert not clock.is_steady_after(HOUR - 20)
    assert len(caplog.records) == 1
    assert clock.is_steady_after(30)


def test_a_clock_that_is_put_right_waits_again() -> None:
    clock = SetClock()
    clock.offset += 400 * 24 * HOUR
    assert not clock.is_steady_after(60)
    clock.offset -= 400 * 24 * HOUR
    assert not clock.is_steady_after(HOUR - 30)
    assert clock.is_steady_after(HOUR)


def test_time_that_passes_and_small_corrections_are_no_jump() -> None:
    clock = SetClock()
    assert clock.is_steady_after(400 * 24 * HOUR)  # the machine was suspended
    clock.offset += 60
    assert clock.is_steady_after(1)
