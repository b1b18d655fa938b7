"""Tests at another time: `RUNNEL_TEST_CLOCK=2028-02-29T00:10:00` has each of them begin then.

All that asks for the time has to agree, SQLite and child processes included, so it is the system's
libfaketime that lies (`tests/clock.py` starts tests with it); this sets it back before each test.
"""

import os
import select
import time
from datetime import UTC, datetime
from pathlib import Path

VARIABLE = "RUNNEL_TEST_CLOCK"
#: What libfaketime reads the time from, again and again.
FILE_VARIABLE = "FAKETIME_TIMESTAMP_FILE"

#: It looks once a second; every time would make all that asks for the time slow.
PATIENCE_SECONDS = 30

_moment = os.environ.get(VARIABLE, "")
#: The real time, less a clock that nobody changes.
_real = time.time() - time.monotonic()


def set_back() -> None:
    """Have it be the asked moment again, if there is one."""
    if not _moment:
        return
    wanted = datetime.fromisoformat(_moment).replace(tzinfo=UTC).timestamp()
    offset = wanted - (_real + time.monotonic())
    file = Path(os.environ[FILE_VARIABLE])
    new = file.with_suffix(".new")
    new.write_text(f"{offset:+.3f}\n")
    new.replace(file)
    began = time.monotonic()
    while not 0 <= time.time() - wanted <= time.monotonic() - began + 0.1:  # it may lie still
        if time.monotonic() > began + PATIENCE_SECONDS:
            raise RuntimeError(f"{VARIABLE} is set, and libfaketime is not there: tests/clock.py")
        select.select([], [], [], 0.02)  # time.sleep is faked as well
