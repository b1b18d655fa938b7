"""Start the upstream's process, and query what it recorded."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import msgspec

from tests.chaos.calls import Call
from tests.support.servers.server import ROOT


@dataclass(frozen=True, slots=True)
class Upstream:
    origin: str

    @property
    def url(self) -> str:
        """Return the base URL for the site's settings."""
        return f"{self.origin}/client/v4"

    def calls(self, run: str) -> dict[str, list[Call]]:
        """Return the calls whose mark starts with `run`, by mark, in order."""
        content = self._ask(f"calls/{run}")
        found: dict[str, list[Call]] = {}
        for call in msgspec.msgpack.decode(content, type=list[Call]):
            found.setdefault(call.mark, []).append(call)
        return found

    def forget(self, run: str) -> None:
        self._ask(f"forget/{run}")

    def witness(self, database: str) -> None:
        """Make it check in this database whether a question is stored before it answers."""
        self._ask("database", database)

    def hang_up(self) -> None:
        """Make it close the site's idle connections."""
        self._ask("hang-up")

    def _ask(self, what: str, content: str = "") -> bytes:
        address = f"{self.origin}/chaos/{what}"
        with httpx.Client(timeout=60, trust_env=False) as client:
            return client.post(address, content=content.encode()).raise_for_status().content


@contextmanager
def upstream() -> Iterator[Upstream]:
    command = [sys.executable, "-m", "tests.chaos.upstream"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    try:
        port = int(process.stdout.readline())
        yield Upstream(f"http://127.0.0.1:{port}")
    finally:
        process.stdin.close()
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
