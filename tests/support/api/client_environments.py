"""The environments of the clients in tests/interop/clients, which `make test-long` installs."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.api.api_site import ApiSite
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT

CLIENTS = ROOT / "tests" / "interop" / "clients"
#: No client asks for more than the site.
OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
#: Shortens the waits of a client between its attempts, without changing the client.
FAST_CLOCK = CLIENTS / "fast_clock"
HURRIED_NODE = {"NODE_OPTIONS": f"--import {FAST_CLOCK / 'fast_clock.mjs'}"}


class Waits:
    """How long a Python client would have waited between its attempts."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "waits"
        self.environment = {"PYTHONPATH": str(FAST_CLOCK), "WAITS": str(self._file)}

    @property
    def seconds(self) -> list[float]:
        text = self._file.read_text() if self._file.exists() else ""
        return [float(each) for each in text.split()]


def program(environment: str, name: str) -> Path:
    """Return a program of a Python environment; fail the test if it is not installed."""
    found = ROOT / ".venv" / "clients" / environment / "bin" / name
    if not found.exists():
        pytest.fail(f"{found} is not there; `make test-long` installs it.")
    return found


def said_by(
    site: ApiSite, script: str, *, is_hurried: bool = False, tasks: ApiSite | None = None
) -> dict[str, Any]:
    """Run a client's script, and return what it printed as JSON in its last line.

    A Node client that `is_hurried` notes its waits instead of waiting. `tasks` is the site of a
    model that works on a task.
    """
    (folder,) = [path.parent for path in CLIENTS.glob(f"*/{script}")]
    if script.endswith(".mjs"):
        if not (folder / "node_modules" / ".installed").exists():
            pytest.fail("The clients' packages are not there; `make test-long` installs them.")
        command = ["node", script]
    else:
        command = [str(program(folder.name, "python")), script]
    finished = subprocess.run(
        command,
        cwd=folder,
        env={
            **site.environment,
            **OFFLINE,
            **(HURRIED_NODE if is_hurried else {}),
            "RUNNEL_TASK_URL": tasks.server.url if tasks else "",
            "RUNNEL_TASK_KEY": tasks.key if tasks else "",
            "PYTHONPATH": str(CLIENTS / "python"),  # behaviours.py
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-4000:]
    return dict(json.loads(finished.stdout.splitlines()[-1]))
