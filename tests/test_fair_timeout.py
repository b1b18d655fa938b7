"""The limit of a test's time ends hangs, and is not reached because the machine is busy."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import fair_timeout
from tests.support.fair_timeout import FairClock, is_core, starts_processes

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = "tests.support.fair_timeout"
#: Of 10 seconds, the machine was busy with others for nearly 9.
BUSY = """
import time
from tests.support import fair_timeout
fair_timeout.machine_delay_seconds = lambda: 0.88 * time.monotonic()
"""


class Reading:
    """Clocks that a test sets."""

    now = 100.0
    own = 7.0
    disk = 3.0

    def clock(self) -> FairClock:
        return FairClock(lambda: self.own, lambda: self.disk, now=lambda: self.now)


def test_time_counts_if_the_machine_was_free() -> None:
    reading = Reading()
    clock = reading.clock()
    reading.now += 4
    assert clock.seconds() == pytest.approx(4)


def test_time_in_which_others_had_the_processor_or_the_disk_does_not_count() -> None:
    reading = Reading()
    clock = reading.clock()
    reading.now, reading.own, reading.disk = 120, 15, 5
    assert clock.seconds() == pytest.approx(10)


def test_a_tenth_always_counts_so_that_a_hang_ends() -> None:
    reading = Reading()
    clock = reading.clock()
    reading.now, reading.own = 200, 500
    assert clock.seconds() == pytest.approx(10)


def test_a_thread_that_has_ended_adds_nothing() -> None:
    reading = Reading()
    clock = reading.clock()
    reading.now, reading.own = 104, 0
    assert clock.seconds() == pytest.approx(4)


def test_work_for_all_tests_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_timeout, "_paused_seconds", 0.0)
    moment = 50.0
    monkeypatch.setattr("tests.support.fair_timeout.time.monotonic", lambda: moment)
    clock = FairClock(now=lambda: moment)
    moment += 1
    with fair_timeout.uncounted():
        moment += 3
        assert clock.seconds() == pytest.approx(1)  # also while it is being done
    moment += 1
    assert clock.seconds() == pytest.approx(2)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
def test_the_system_tells_what_is_waited_for() -> None:
    assert fair_timeout.own_delay_seconds() > 0
    assert fair_timeout.machine_delay_seconds() >= 0


def test_a_test_that_starts_processes_is_not_core(request: pytest.FixtureRequest) -> None:
    assert starts_processes(request.node)
    assert not is_core(request.node)


def outcome_of(folder: Path, body: str, conftest: str = "", seconds: float = 0.3) -> str:
    """Run a test with this body and limit; return what pytest says."""
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_it.py").write_text(f"import asyncio, time\n\n{body}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, f"--timeout={seconds}"]
    command += ["-p", "no:django", "-c", "/dev/null", "-o", "asyncio_mode=auto", "--rootdir"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    env.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        [*command, str(folder), str(folder)], env=env, capture_output=True, text=True
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "body",
    [
        "def test_it():\n    while True: pass",
        "def test_it():\n    time.sleep(600)",
        "async def test_it():\n    await asyncio.Event().wait()",
    ],
    ids=["busy", "asleep", "waiting in a loop"],
)
def test_a_hang_ends(body: str, tmp_path: Path) -> None:
    assert "Timeout (>0.3s)" in outcome_of(tmp_path, body)


def test_a_test_that_is_slow_beside_other_work_passes(tmp_path: Path) -> None:
    slow = "def test_it():\n    time.sleep(1.2)"
    assert "1 passed" in outcome_of(tmp_path, slow, BUSY)
