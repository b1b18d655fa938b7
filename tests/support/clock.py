"""Run tests at another time: with `RUNNEL_TEST_CLOCK=2028-02-29T00:10:00`, each starts then.

SQLite and child processes must agree on the time, so the system's libfaketime fakes it
(`tests/clock.py` starts tests with it); this resets it before each test.
"""

import os
import select
import time
from datetime import UTC, datetime
from pathlib import Path

VARIABLE = "RUNNEL_TEST_CLOCK"
#: The file that libfaketime reads the time from.
FILE_VARIABLE = "FAKETIME_TIMESTAMP_FILE"

#: libfaketime reads the file once a second; each time would slow down every time call.
PATIENCE_SECONDS = 30

_moment = os.environ.get(VARIABLE, "")
#: The real time minus the monotonic clock, which is not faked.
_real = time.time() - time.monotonic()


def set_back() -> None:
    """Reset the clock to the requested time, if there is one."""
    if not _moment:
        return
    wanted = datetime.fromisoformat(_moment).replace(tzinfo=UTC).timestamp()
    offset = wanted - (_real + time.monotonic())
    file = Path(os.environ[FILE_VARIABLE])
    new = file.with_suffix(".new")
    new.write_text(f"{offset:+.3f}\n")
    new.replace(file)
    began = time.monotonic()
    # libfaketime may not have read the file yet.
    while not 0 <= time.time() - wanted <= time.monotonic() - began + 0.1:
        if time.monotonic() > began + PATIENCE_SECONDS:
            raise RuntimeError(f"{VARIABLE} is set, and libfaketime is not there: tests/clock.py")
        select.select([], [], [], 0.02)  # time.sleep is faked as well
