"""Limit how long a test may take, without the time in which the machine was busy with others.

pytest-timeout counts seconds of the wall clock, which a busy machine makes many of. Here a second
counts only as far as the test could have used it. A test that hangs therefore ends soon, and one
that is only slow beside other work never does.

- A test in one of CORE_FOLDERS does its work in its own process. Linux says how long the threads of
  a process were ready to run, but had no processor: that doesn't count.
- Other tests wait for processes that they have started. For them, the time doesn't count in which
  anything on the machine waited for a processor ("pressure").
- Waiting for a disk never counts, where Linux tells it.

At least a tenth of the time counts, so that a hang ends on a busy machine, too. Elsewhere than on
Linux all of it counts.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import pytest_timeout  # type: ignore[import-untyped]

#: Tests of what runs in one process and takes a second or two; a hang ends after CORE_SECONDS.
CORE_FOLDERS = ("lib", "upstream", "generations", "quotas", "conversations")
CORE_SECONDS = 10.0 if Path("/proc/self/schedstat").is_file() else 120.0
#: Marks of tests that have another limit, or many examples.
NOT_QUICK = ("timeout", "long", "hypothesis")
LEAST_SHARE = 0.1
#: How soon to look again after a look that found time left.
LEAST_WAIT_SECONDS = 0.2
ROOT = Path(__file__).resolve().parents[1]

_paused_seconds = 0.0
_paused_since: float | None = None


def own_delay_seconds() -> float:
    """Return how long threads of this process were ready, but waited for a processor."""
    delays = [_read(each / "schedstat").split() for each in Path("/proc/self/task").iterdir()]
    return sum(int(parts[1]) for parts in delays if len(parts) > 1) / 1e9


def machine_delay_seconds() -> float:
    """Return how long anything on the machine waited for a processor."""
    return _pressure("cpu")


def disk_delay_seconds() -> float:
    return _pressure("io")


class FairClock:
    """Count the seconds since its creation in which the test could go on."""

    def __init__(self, *delays: Callable[[], float], now: Callable[[], float] = time.monotonic):
        self._delays, self._now = delays, now
        self._began = self._reading()

    def seconds(self) -> float:
        wall, delayed = (
            later - before for later, before in zip(self._reading(), self._began, strict=True)
        )
        # The delay of a thread that has ended is missing from the later reading.
        return max(wall - max(delayed, 0.0), wall * LEAST_SHARE)

    def _reading(self) -> tuple[float, float]:
        return self._now() - paused_seconds(), sum(delay() for delay in self._delays)


@contextmanager
def uncounted() -> Iterator[None]:
    """Do work that isn't the test's own, such as creating a template for all tests."""
    global _paused_seconds, _paused_since
    _paused_since = time.monotonic()
    try:
        yield
    finally:
        _paused_seconds, _paused_since = paused_seconds(), None


def paused_seconds() -> float:
    """Return the time of all work that isn't a test's own, up to now."""
    current = time.monotonic() - _paused_since if _paused_since is not None else 0.0
    return _paused_seconds + current


def limit_core_tests(items: list[pytest.Item]) -> None:
    """Give core tests a short limit, except those that take longer by design."""
    if os.environ.get("DATABASE_URL"):
        return  # they wait for a server process
    for item in items:
        is_here = item.path.is_relative_to(ROOT)
        is_in_core = is_here and item.path.relative_to(ROOT).parts[0] in CORE_FOLDERS
        has_other = any(map(item.get_closest_marker, NOT_QUICK))
        if is_in_core and not has_other and not starts_processes(item):
            item.add_marker(pytest.mark.timeout(CORE_SECONDS))


def starts_processes(item: pytest.Item) -> bool:
    """Return whether the test's file imports what runs other programs."""
    names = vars(getattr(item, "module", None) or object).values()
    homes = {getattr(each, "__module__", None) or getattr(each, "__name__", "") for each in names}
    return any(str(home).startswith(("tests.support.servers", "subprocess")) for home in homes)


def is_core(item: pytest.Item) -> bool:
    limit = item.get_closest_marker("timeout")
    return limit is not None and limit.args == (CORE_SECONDS,)


def pytest_timeout_set_timer(item: pytest.Item, settings: pytest_timeout.Settings) -> bool | None:
    """Set pytest-timeout's timer; when it rings, set it again as long as time is left."""
    is_main = threading.current_thread() is threading.main_thread()
    if settings.method != "signal" or not is_main:
        return None  # pytest-timeout's own timer
    delay = own_delay_seconds if is_core(item) else machine_delay_seconds
    clock = FairClock(delay, disk_delay_seconds)

    def ring(*_: object) -> None:
        left = settings.timeout - clock.seconds()
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, LEAST_WAIT_SECONDS))
        else:
            pytest_timeout.timeout_sigalrm(item, settings)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    item.cancel_timeout = cancel  # type: ignore[attr-defined]
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, settings.timeout)
    return True


def _pressure(kind: str) -> float:
    """Return the time from the line "some avg10=… avg60=… avg300=… total=<microseconds>"."""
    first, _, _ = _read(Path("/proc/pressure") / kind).partition("\n")
    total = first.rpartition("total=")[2]
    return int(total) / 1e6 if total.isdigit() else 0.0


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""  # another system, or a thread that has ended
