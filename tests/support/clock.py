"""Run tests at another time: with `RUNNEL_TEST_CLOCK=2028-02-29T00:10:00`, each starts then.

SQLite and child processes must agree on the time, so the system's libfaketime fakes it
(`tests/clock.py` starts tests with it); this resets it before each test.
"""

import os
import time
from datetime import UTC, datetime

VARIABLE = "RUNNEL_TEST_CLOCK"
#: What libfaketime adds to the time, in seconds.
OFFSET_VARIABLE = "FAKETIME"

#: A busy machine may stop this process between setting the clock and reading it.
TOLERANCE_SECONDS = 5

_moment = os.environ.get(VARIABLE, "")
#: The real time minus the monotonic clock, which is not faked.
_real = time.time() - time.monotonic()


def set_back() -> None:
    """Reset the clock to the requested time, if there is one."""
    if not _moment:
        return
    wanted = datetime.fromisoformat(_moment).replace(tzinfo=UTC).timestamp()
    os.environ[OFFSET_VARIABLE] = f"{wanted - (_real + time.monotonic()):+.3f}"
    if abs(time.time() - wanted) > TOLERANCE_SECONDS:
        raise RuntimeError(f"{VARIABLE} is set, and libfaketime is not there: tests/clock.py")
