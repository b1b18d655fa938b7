"""Helpers for the tests of settings."""

import subprocess
import sys
from pathlib import Path

from tests.support.servers import forked
from tests.support.servers.server import ROOT, environment


def check(tmp_path: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py check`, or the given command, with these settings."""
    return subprocess.run(
        [sys.executable, "manage.py", *(arguments or ("check",))],
        cwd=ROOT,
        env=environment(tmp_path / "data", 8000, **settings),
        capture_output=True,
        text=True,
    )


def read(tmp_path: Path, expression: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Print a setting, or an expression of settings, without loading apps, which takes long."""
    output = tmp_path / "settings.output"
    process = forked.started(
        _print,
        expression,
        environment=environment(tmp_path / "data", 8000, **settings),
        output=output,
    )
    process.join()
    errors = forked.errors_of(output)
    code = process.exitcode
    assert code is not None
    result = subprocess.CompletedProcess([expression], code, output.read_text(), errors.read_text())
    output.unlink()
    errors.unlink()
    return result


def _print(expression: str) -> None:
    from project import settings

    print(eval(expression, vars(settings)))
