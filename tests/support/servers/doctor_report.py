"""Run `manage.py doctor` for a server, as its operator does."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.support.servers.server import ROOT, Server

#: What costs time and has its own tests.
SLOW = ("static", "model", "proxy", "silence")


@dataclass
class DoctorReport:
    """The report of one run."""

    exit_code: int
    results: list[dict[str, Any]]

    def one(self, check: str) -> dict[str, Any]:
        """Return the only result of that check."""
        (found,) = [each for each in self.results if each["check"] == check]
        return found

    def about(self, check: str) -> list[dict[str, Any]]:
        """Return what that check has found fault with."""
        found = [each for each in self.results if each["check"] == check]
        return [each for each in found if each["status"] != "ok"]

    @property
    def problems(self) -> list[str]:
        return [each["message"] for each in self.results if each["status"] == "problem"]


def run_doctor(
    server: Server, *arguments: str, skip: tuple[str, ...] = SLOW, **settings: str
) -> DoctorReport:
    """Run the command for a running server, in its environment."""
    skipped = [f"--skip={each}" for each in skip]
    process_url = [] if "--process-url" in arguments else ["--process-url", server.url]
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json", *skipped, *process_url, *arguments],
        cwd=ROOT,
        env=server.environment | settings,
        capture_output=True,
        text=True,
    )
    assert done.stdout, done.stderr
    return DoctorReport(done.returncode, json.loads(done.stdout)["results"])
