"""A line that repeats passes once in a while, and says how many were left out."""

import logging

import pytest

from chat.lib import limits
from project.log_repeats import EVERY_SECONDS, KEPT, Repeats


def passed(repeats: Repeats, name: str, text: str) -> str | None:
    record = logging.LogRecord(name, logging.WARNING, "", 0, text, (), None)
    return record.getMessage() if repeats.filter(record) else None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(limits.clock, "monotonic", lambda: now[0])
    return now


def test_equal_lines_are_counted_instead_of_repeated(clock: list[float]) -> None:
    repeats = Repeats(["noisy"])
    assert passed(repeats, "noisy", "away") == "away"
    assert [passed(repeats, "noisy", "away") for _ in range(5)] == [None] * 5
    assert passed(repeats, "noisy", "full") == "full"
    clock[0] += EVERY_SECONDS
    assert passed(repeats, "noisy", "away") == "away (and 5 times more)"


def test_other_loggers_and_errors_with_a_traceback_are_left_alone(clock: list[float]) -> None:
    repeats = Repeats(["noisy"])
    assert [passed(repeats, "quiet", "away") for _ in range(3)] == ["away"] * 3
    failed = logging.LogRecord(
        "noisy", logging.ERROR, "", 0, "x", (), (ValueError, ValueError(), None)
    )
    assert [repeats.filter(failed) for _ in range(3)] == [True] * 3


def test_few_lines_are_remembered(clock: list[float]) -> None:
    repeats = Repeats(["noisy"])
    for number in range(10 * KEPT):
        passed(repeats, "noisy", f"line {number}")
    assert len(repeats._passed) <= KEPT
