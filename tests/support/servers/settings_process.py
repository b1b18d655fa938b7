"""Helpers for the tests of settings."""

import subprocess
import sys
from pathlib import Path

from tests.support.servers.server import ROOT, environment


def check(tmp_path: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py check`, or the given command, with these settings."""
    return _run(tmp_path, ["manage.py", *(arguments or ("check",))], settings)


def read(tmp_path: Path, name: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Print the value of one setting, without loading apps, which takes long."""
    code = f"from project import settings; print(settings.{name})"
    return _run(tmp_path, ["-c", code], settings)


def _run(
    tmp_path: Path, arguments: list[str], settings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment(tmp_path / "data", 8000, **settings),
        capture_output=True,
        text=True,
    )
