"""What can't be undone waits while the clock was just set."""

import logging

import pytest

from chat.generations.process import server_process
from chat.lib import steady_clock
from chat.lib.steady_clock import SteadyClock

HOUR = 3600.0
IRREVERSIBLE = {"seal_days", "close_days", "end_due", "remove_unsent"}


class SetClock:
    """A clock of a machine, which somebody sets."""

    def __init__(self) -> None:
        self.elapsed, self.offset = 5.0, 1_700_000_000.0
        self.steady = SteadyClock(lambda: self.elapsed + self.offset, lambda: self.elapsed)

    def is_steady_after(self, seconds: float) -> bool:
        self.elapsed += seconds
        return self.steady.is_steady()


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


async def test_nothing_is_erased_or_sealed_while_it_is_not_steady(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SetClock()
    clock.offset += HOUR
    monkeypatch.setattr(steady_clock, "system_clock", clock.steady)
    done: list[str] = []

    async def erase() -> None:
        done.append("erased")

    await steady_clock.while_steady_async(erase)()
    assert steady_clock.while_steady(lambda: done.append("sealed"))() is None
    assert done == []
    clock.elapsed += HOUR
    await steady_clock.while_steady_async(erase)()
    steady_clock.while_steady(lambda: done.append("sealed"))()
    assert done == ["erased", "sealed"]


def test_the_tasks_that_cannot_be_undone_wait() -> None:
    waiting = {
        each.__name__ for each in server_process.periodic_tasks if hasattr(each, "__wrapped__")
    }
    assert waiting >= IRREVERSIBLE
