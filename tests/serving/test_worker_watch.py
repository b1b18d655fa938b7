"""When a silent worker is killed, and when it is given more time."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from project.serving import worker_watch
from project.serving.worker_watch import WorkerWatch

TIMEOUT = 30.0


class Killed(Exception):
    pass


class NoMoreAnswers(Exception):
    pass


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Worker:
    """Answers as given: the seconds that it takes, and whether there is an answer."""

    number, pid, is_awaited = 1, 7, True

    def __init__(self, clock: Clock, answers: Iterable[tuple[float, bool]]) -> None:
        self._clock, self._answers = clock, iter(answers)
        self.started_at, self.heard_at = clock.now, 0.0

    def status(self, path: str, site_host: str) -> int:
        seconds, is_answered = next(self._answers, (0.0, None))
        if is_answered is None:
            raise NoMoreAnswers
        self._clock.now += seconds
        if is_answered:
            self.heard_at = self._clock.now
        return 200 if is_answered else 0

    async def kill(self) -> None:
        raise Killed


HEARD, SILENT = (0.0, True), (5.0, False)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    monkeypatch.setattr(worker_watch, "monotonic", clock)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return clock


async def outcome(clock: Clock, answers: list[tuple[float, bool]], **facts: Any) -> str:
    worker: Any = Worker(clock, answers)
    for name, value in facts.items():
        setattr(worker, name, value)
    try:
        await WorkerWatch(worker, "localhost", TIMEOUT).run()
    except Killed:
        return "killed"
    except NoMoreAnswers:
        return "lives"
    return "not watched"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([HEARD, *[SILENT] * 3], "killed"),
        ([HEARD, *[SILENT] * 2], "lives"),
        ([HEARD, SILENT, SILENT, HEARD, SILENT, SILENT, HEARD], "lives"),
        ([HEARD, *[(0.0, False)] * 3], "lives"),  # refused at once: not yet 30 seconds
        ([HEARD, *[(0.0, False)] * 8], "killed"),
        ([(0.0, False)] * 60, "lives"),  # it is still starting
        ([(0.0, False)] * 130, "killed"),  # ten minutes without a first answer
        ([HEARD, SILENT, SILENT, (3600.0, False), SILENT, SILENT, HEARD], "lives"),  # a laptop
        ([HEARD, SILENT, SILENT, (3600.0, False), *[SILENT] * 3], "killed"),
    ],
)
async def test_silence_is_judged(
    clock: Clock, answers: list[tuple[float, bool]], expected: str
) -> None:
    assert await outcome(clock, answers) == expected


async def test_a_worker_that_ends_may_be_silent(clock: Clock) -> None:
    assert await outcome(clock, [HEARD, *[SILENT] * 10], is_awaited=False) == "lives"


async def test_nothing_is_watched_without_a_timeout(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker: Any = Worker(clock, [])
    await WorkerWatch(worker, "localhost", 0).run()
