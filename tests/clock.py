"""Run tests at difficult dates and times: `python -m tests.clock [arguments of pytest]`.

Each test begins at that very moment, so one that begins a second before midnight has another day
in its middle. It takes libfaketime (Debian and Ubuntu: `apt-get install faketime`).
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.support import clock

#: Times in UTC, and the time zone of the machine.
MOMENTS = [
    ("2028-02-29T00:10:00", "UTC"),  # a leap day, before the previous day is sealed
    ("2027-12-31T23:59:58", "UTC"),  # the end of a day, a month and a year
    ("2027-03-28T00:59:58", "Europe/Berlin"),  # summer time starts
    ("2027-10-31T00:59:58", "Europe/Berlin"),  # summer time ends
]
#: Tests that depend on days, hours or limits.
TESTS = ["tests/quotas", "tests/accounts", "tests/conversations", "tests/sharing",
         *(f"tests/review/{each}" for each in
           ("access_log", "analytics", "cases", "moderation", "queue", "search")),
         *(f"tests/web/{each}" for each in ("account", "chat", "messages", "widget"))]  # fmt: skip
LIBRARIES = ["/usr/lib", "/usr/local/lib", "/usr/lib64"]


def main(arguments: list[str]) -> int:
    library = faketime_library()
    if library is None:
        print("libfaketime is missing: apt-get install faketime", file=sys.stderr)
        return 1
    return max(_run(library, *each, arguments or TESTS) for each in MOMENTS)


def faketime_library() -> Path | None:
    """Return the path of libfaketime, if it is installed."""
    folders = (Path(folder) for folder in LIBRARIES)
    return next((each for folder in folders for each in folder.glob("**/libfaketimeMT.so.1")), None)


def _run(library: Path, moment: str, zone: str, arguments: list[str]) -> int:
    """Run the tests at one time, in processes of their own."""
    lie = {
        clock.VARIABLE: moment, clock.OFFSET_VARIABLE: "+0", "TZ": zone,
        "LD_PRELOAD": str(library), "NO_FAKE_STAT": "1", "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
    }  # fmt: skip
    print(f"Each test begins at {moment} UTC, in {zone}.", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider",
               "-m", "not long and not browser and not interop and not chaos"]  # fmt: skip
    return subprocess.run([*command, *arguments], env=os.environ | lie, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
