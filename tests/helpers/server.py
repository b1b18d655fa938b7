"""A real server process of the site, on a free port, with a folder and a database of its own."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
COMMANDS = {
    "daphne": ["daphne", "-b", "127.0.0.1", "-p", "{port}", "project.asgi:application"],
    "uvicorn": [
        "uvicorn",
        "--timeout-graceful-shutdown",
        "3",
        "--port",
        "{port}",
        "--log-level",
        "warning",
        "project.asgi:application",
    ],
}


@dataclass(frozen=True)
class Server:
    url: str
    pid: int
    data_dir: Path
    log: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(data_dir: Path, port: int, **settings: str) -> dict[str, str]:
    """What the site's processes see: nothing of the machine's own settings."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ
    }
    return (
        kept
        | {"DATA_DIR": str(data_dir), "PORT": str(port), "EMULATOR_TOKENS_PER_SECOND": "0"}
        | settings
    )


def manage(*arguments: str, env: dict[str, str]) -> str:
    """Runs `manage.py` as the site does; what it printed."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, check=True, capture_output=True, text=True
    ).stdout


@contextmanager
def running(kind: str = "daphne", **settings: str) -> Iterator[Server]:
    """The site, migrated and with its static files, until the block ends."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="runnel-live-") as folder:
        data_dir = Path(folder)
        env = environment(data_dir, port, **settings)
        manage("migrate", "--verbosity", "0", env=env)
        manage("collectstatic", "--noinput", "--verbosity", "0", env=env)
        name, *arguments = [part.format(port=port) for part in COMMANDS[kind]]
        log = data_dir / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(BIN / name), *arguments], cwd=ROOT, env=env, stdout=output, stderr=output
            )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_until_it_answers(url, process, log)
            yield Server(url, process.pid, data_dir, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_until_it_answers(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {log.read_text()}")
        try:
            httpx.get(f"{url}/healthz", timeout=1)
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the server does not answer: {log.read_text()}")


def signed_up(server: Server, email: str = "alice@example.org") -> httpx.Client:
    """A client that has signed up as a person does."""
    client = httpx.Client(base_url=server.url, follow_redirects=True, timeout=20)
    client.get("/accounts/signup/")
    answer = client.post(
        "/accounts/signup/",
        data={
            "email": email,
            "password1": "a quiet reading room",
            "password2": "a quiet reading room",
            "csrfmiddlewaretoken": client.cookies["csrftoken"],
        },
    )
    assert answer.url.path == "/chat/", answer.text
    return client
