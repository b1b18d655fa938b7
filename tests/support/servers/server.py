"""Run a real server process of the site, with its own folder and database."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.support.database import database_templates
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.shell import Shell

ROOT = database_templates.ROOT
BIN = Path(sys.executable).parent
START_SECONDS = PATIENCE_SECONDS
#: For `project.asgi:application`, or for another one. Idle connections are kept as long as by `manage.py
#: serve`: with uvicorn's five seconds, a client can send just as its connection is closed.
UVICORN = (
    "uvicorn --log-level warning --timeout-graceful-shutdown 3 --timeout-keep-alive 75"
    " --host 127.0.0.1 --port {port}"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(data_dir: Path, port: int, **settings: str) -> dict[str, str]:
    """Return the environment of the site's processes, without the machine's own settings."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ
    }
    return (
        kept
        | {"DATA_DIR": str(data_dir), "PORT": str(port), "EMULATOR_TOKENS_PER_SECOND": "0"}
        | {"DRAIN_SECONDS": "0"}
        | {"INITIAL_LIMITS": "none", "TITLE_MODEL": "none"}
        | {"MAX_LAG_SECONDS": "0"}  # the test machine may be slow
        | {"MAX_MEMBER_REQUESTS_PER_SECOND": "0", "MAX_ADDRESS_REQUESTS_PER_SECOND": "0"}
        | settings
    )


def manage(*arguments: str, env: dict[str, str]) -> str:
    """Run `manage.py` as the site does; return its output."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, check=True, capture_output=True, text=True
    ).stdout


class Server:
    """A server process that can be restarted, with the same port, data and log."""

    #: Put before the command; the signals of `send` go to it.
    prefix: tuple[str, ...] = ()

    def __init__(self, data_dir: Path, port: int = 0, **settings: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data_dir = data_dir
        self.log = data_dir / f"server-{self.port}.log"
        self.environment = environment(data_dir, self.port, **settings)
        command = [*UVICORN.format(port=self.port).split(), "project.asgi:application"]
        self.command = [str(BIN / command[0]), *command[1:]]
        self._process: subprocess.Popen[bytes] | None = None
        self._shell: Shell | None = None

    @property
    def pid(self) -> int:
        assert self._process, "it was never started"
        return self._process.pid

    def prepare(self) -> None:
        """Provide a migrated database and the static files, as `manage.py serve` does."""
        database_templates.copy_sqlite(self.data_dir / "runnel.sqlite3")
        database_templates.copy_static(self.data_dir / "static")

    def manage(self, *arguments: str) -> str:
        """Run a management command in the site's environment; return its output."""
        return manage(*arguments, env=self.environment)

    def run(self, code: str) -> str:
        """Run code in the site's environment, in one process for all calls; return its output."""
        self._shell = self._shell or Shell(self.environment)
        return self._shell.run(code).strip()

    def start(self, **settings: str) -> None:
        """Start the server and return once it answers."""
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [*self.prefix, *self.command],
                cwd=ROOT,
                env=self.environment | settings,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self._wait_until_it_answers(self._process)

    def send(self, number: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(number)

    def wait(self, seconds: float) -> float | None:
        """Return the seconds until the process ended, or None after `seconds`."""
        began = time.monotonic()
        try:
            if self._process:
                self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - began

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._process.poll() if self._process else None

    def end(self, by: signal.Signals = signal.SIGTERM) -> None:
        """End the process, by SIGKILL if it does not exit in time."""
        self.send(by)
        if self.wait(10) is None:
            self.send(signal.SIGKILL)
            self.wait(10)
        if self._shell:
            self._shell.end()
            self._shell = None

    def _wait_until_it_answers(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {self._end_of_log()}")
            if answers(f"{self.url}/healthz"):
                return
            time.sleep(0.02)
        raise RuntimeError(f"the server does not answer: {self._end_of_log()}")

    def _end_of_log(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]


def answers(url: str) -> bool:
    """Return whether a server answers there, whatever it says."""
    try:
        httpx.get(url, timeout=1, trust_env=False)
    except httpx.HTTPError:
        return False
    return True


def wait_for(url: str) -> None:
    """Wait until a server answers there."""
    deadline = time.monotonic() + START_SECONDS
    while not answers(url):
        if time.monotonic() > deadline:
            raise RuntimeError(f"{url} does not answer")
        time.sleep(0.02)


@contextmanager
def running(**settings: str) -> Iterator[Server]:
    """Run the site, migrated and with static files, until the end of the block."""
    with tempfile.TemporaryDirectory(prefix="runnel-live-") as folder:
        server = Server(Path(folder), 0, **settings)
        server.prepare()
        try:
            server.start()
            yield server
        finally:
            server.end()


@contextmanager
def two_processes(data_dir: Path, **settings: str) -> Iterator[tuple[Server, Server]]:
    """Serve one site by two processes, until the end of the block."""
    here, there = (Server(data_dir, 0, **settings) for _ in range(2))
    here.prepare()
    with ExitStack() as stack:
        for server in (here, there):
            stack.callback(server.end)
            server.start()
        yield here, there


def signed_up(server: Server, email: str = "alice@example.org") -> httpx.Client:
    """Return a client that has signed up through the form."""
    client = httpx.Client(base_url=server.url, follow_redirects=True, timeout=START_SECONDS)
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
