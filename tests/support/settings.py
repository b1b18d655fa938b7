"""What tests of settings share with others."""

import subprocess
import sys
from pathlib import Path

from tests.support.server import ROOT, environment


def check(tmp_path: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *(arguments or ("check",))]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(tmp_path / "data", 8000, **settings),
        capture_output=True,
        text=True,
    )
