"""The whole site in a process of its own: Daphne, a fresh database, collected static files."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 30
TOKENS_PER_SECOND = 800
MAX_BODY_BYTES = 256 * 1024


class LiveSite:
    def __init__(self, folder: Path) -> None:
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "DATA_DIR": str(folder),
            "PORT": str(self.port),
            "LOG_LEVEL": "error",
            "MAX_BODY_BYTES": str(MAX_BODY_BYTES),
            "EMULATOR_TOKENS_PER_SECOND": str(TOKENS_PER_SECOND),
        }

    def manage(self, *arguments: str) -> str:
        """A management command, in the site's environment."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def make_member(self, email: str, password: str) -> None:
        make = "from chat.accounts.models import User; User.objects.create_user"
        self.manage("shell", "--verbosity=0", "--command", f"{make}({email!r}, {password!r})")


@contextmanager
def live_site(folder: Path) -> Iterator[LiveSite]:
    site = LiveSite(folder)
    site.manage("migrate", "--verbosity=0")
    site.manage("collectstatic", "--noinput", "--verbosity=0")
    daphne = [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(site.port)]
    with open(folder / "server.log", "w") as log:
        process = subprocess.Popen(
            [*daphne, "project.asgi:application"],
            cwd=ROOT,
            env=site.environment,
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(site, process, folder / "server.log")
        yield site
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(site: LiveSite, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{site.url}/healthz", timeout=5).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"The site did not start:\n{log.read_text()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
