"""`python -m tests.interop` runs the tests of programs that call the API, and can write the table."""

import argparse
import sys
from pathlib import Path

import pytest

from tests.interop.report import Recorder, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.interop", description=__doc__)
    parser.add_argument("--report", type=Path, help="the document whose table to replace")
    parser.add_argument("-k", default="", help="only these tests")
    options = parser.parse_args()
    recorder = Recorder()
    arguments = ["-m", "interop or long", "tests/interop"]
    code = pytest.main([*arguments, "-k", options.k], plugins=[recorder])
    if options.report:
        write(options.report, recorder.shown)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
