"""Run `manage.py emulate_workers_ai` in its own process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]


@contextmanager
def running_emulator(*options: str) -> Iterator[str]:
    """Serve on a free port; yield the base URL."""
    with TemporaryDirectory() as folder:
        process = _start("--port", "0", *options, folder=folder)
        try:
            yield _base_url(process)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)


def failing_emulator(*options: str) -> tuple[int, str]:
    """Start a server that must fail; return its exit status and error output."""
    with TemporaryDirectory() as folder:
        process = _start(*options, folder=folder)
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, complaint


def _start(*options: str, folder: str) -> subprocess.Popen[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        "DJANGO_SETTINGS_MODULE": "project.settings",
        "DATA_DIR": folder,
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", "emulate_workers_ai", *options],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _base_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    line = process.stdout.readline()
    if "http://" not in line:
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
        raise RuntimeError(f"the emulator did not start: {line}{complaint}")
    return next(word for word in line.split() if word.startswith("http://"))
