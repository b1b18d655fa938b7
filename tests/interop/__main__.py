"""`python -m tests.interop` runs the tests of programs that call the API, and can write the table."""

import argparse
import sys
from pathlib import Path

import pytest

from tests.interop.programs import PROGRAMS
from tests.interop.report import Recorder, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.interop", description=__doc__)
    parser.add_argument("--report", type=Path, help="the document whose table to replace")
    parser.add_argument("--only", default="", help="names of programs, with commas between them")
    options = parser.parse_args()
    only = [name.strip() for name in options.only.split(",") if name.strip()]
    unknown = set(only) - {each.name for each in PROGRAMS}
    if unknown:
        print(f"no such program: {', '.join(unknown)}")
        return 2
    recorder = Recorder(only)
    code = pytest.main(["-m", "interop or long", "tests/interop"], plugins=[recorder])
    if options.report:
        write(options.report, recorder.shown)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
