"""A pytest plugin that records which lines of the mutated modules each test executes.

`python -m tests.mutants --record` loads it. Each process of pytest-xdist writes a file of its own.
It traces calls in all threads, because requests are handled in several, and lines in the mutated
modules only. Code that runs when a module is imported belongs to no test.
"""

import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.mutants.targets import python_files
from tests.support.servers.server import ROOT

#: The folder that the recordings are written to.
FOLDER_VARIABLE = "MUTANTS_RECORDINGS"

_watched = {str(ROOT / path): path for path in python_files()}
#: By file, the lines that ran since the current test began.
_lines: defaultdict[str, set[int]] = defaultdict(set)
_recorded: dict[str, dict[str, Any]] = {}
_seconds: defaultdict[str, float] = defaultdict(float)
_failed: set[str] = set()


def _trace_call(frame: FrameType, event: str, argument: object) -> Any:
    path = _watched.get(frame.f_code.co_filename)
    if path is None:
        return None
    lines = _lines[path]

    def trace_line(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return trace_line

    return trace_line


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _lines.clear()
    threading.settrace(_trace_call)
    sys.settrace(_trace_call)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        if _lines:
            # One bit for each line: line sets of thousands of tests would fill the memory.
            bits = {path: f"{sum(1 << line for line in on):x}" for path, on in _lines.items() if on}
            _recorded[item.nodeid] = bits


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not _recorded:
        return
    folder = Path(os.environ[FOLDER_VARIABLE])
    tests = {
        test: {"seconds": round(_seconds[test], 3), "lines": bits}
        for test, bits in _recorded.items()
        if test not in _failed
    }
    name = os.environ.get("PYTEST_XDIST_WORKER", "main")
    (folder / f"{name}.json").write_text(json.dumps(tests))
