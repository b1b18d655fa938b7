"""Run tests at difficult dates and times: `python -m tests.clock [arguments of pytest]`.

Each test begins at that very moment, so one that begins a second before midnight has another day
in its middle. It takes libfaketime (Debian and Ubuntu: `apt-get install faketime`).
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
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
TESTS = ["tests/review", "tests/quotas", "tests/accounts", "tests/conversations", "tests/sharing",
         "tests/widget_sites", "tests/web"]  # fmt: skip
#: The number of cores of the CI machine.
AT_ONCE = 2
LIBRARIES = ["/usr/lib", "/usr/local/lib", "/usr/lib64"]


def main(arguments: list[str]) -> int:
    library = next(
        (found for folder in LIBRARIES for found in Path(folder).glob("**/libfaketimeMT.so.1")),
        None,
    )
    if library is None:
        print("libfaketime is missing: apt-get install faketime", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(AT_ONCE) as moments:
        runs = [moments.submit(_run, library, *each, arguments or TESTS) for each in MOMENTS]
        return max(run.result() for run in runs)


def _run(library: Path, moment: str, zone: str, arguments: list[str]) -> int:
    """Run the tests at one time, in a process of their own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "offset"
        file.write_text("+0\n")
        lie = {
            clock.VARIABLE: moment, clock.FILE_VARIABLE: str(file), "TZ": zone,
            "LD_PRELOAD": str(library), "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
        }  # fmt: skip
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   "-m", "not long and not browser and not interop and not chaos"]  # fmt: skip
        done = subprocess.run(
            [*command, *arguments], env=os.environ | lie, stdout=subprocess.PIPE, text=True
        )
    print(f"Each test began at {moment} UTC, in {zone}.\n{done.stdout}", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
