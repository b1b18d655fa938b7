"""Skip tests whose programs this machine lacks; in CI, where all are installed, fail instead."""

import os
from collections.abc import Generator
from typing import Any

import pytest

#: In the reason of each such skip.
MISSING = "isn't installed"


def is_ci() -> bool:
    return os.environ.get("CI") == "true"


def skip_without(path: str | None, name: str) -> pytest.MarkDecorator:
    """Return a mark for tests that need the program at `path`."""
    return pytest.mark.skipif(not path, reason=f"{name} {MISSING}")


def require(path: object, name: str) -> None:
    """Skip the current test if there is no `path`."""
    if not path:
        pytest.skip(f"{name} {MISSING}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    reason: Any = report.longrepr
    if report.skipped and is_ci() and isinstance(reason, tuple) and MISSING in reason[2]:
        report.outcome = "failed"
        report.longrepr = f"{reason[2]}, but CI runs all tests: see .ci/run"
    return report
