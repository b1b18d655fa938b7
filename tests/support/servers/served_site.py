"""Run `manage.py serve` with real workers, and be the proxy in front of them."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.server import ROOT, START_SECONDS, Server, environment, free_port

READY = "ready: all workers answer"


def free_ports(count: int) -> int:
    """Return the first of that many neighbouring free ports."""
    while True:
        first = free_port()
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            continue
        return first


class ServedSite(Server):
    """The supervisor's process; its signals are those of `send`."""

    def __init__(self, data_dir: Path, workers: int = 1, **settings: str) -> None:
        super().__init__(data_dir, free_ports(workers), **settings)
        self.environment["WORKERS"] = str(workers)
        self.ports = range(self.port, self.port + workers)
        #: The interpreter and the folder of the release.
        self.python, self.release = sys.executable, ROOT

    def start(self, **settings: str) -> None:
        """Start, and return once all workers answer."""
        before = self.text().count(READY) if self.log.exists() else 0
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [self.python, "manage.py", "serve"],
                cwd=self.release,
                env=self.environment | settings,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self.until_logged(READY, times=before + 1)

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def until_logged(self, words: str, times: int = 1) -> None:
        wait_until(lambda: self.text().count(words) >= times, lambda: self.text()[-3000:])

    def worker_pids(self) -> list[int]:
        """Return the pids of all processes of workers so far, in order of their starts."""
        return [
            int(pid) for pid in re.findall(r"started worker \d+ at \S+ \(pid (\d+)\)", self.text())
        ]

    def status(self, port: int, path: str = "/readyz") -> int:
        """Return the status of a worker's answer, or 0."""
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", trust_env=False).status_code
        except httpx.HTTPError:
            return 0


class Balancer(httpx.BaseTransport):
    """Send each request to the first worker that takes it, as deploy/nginx.conf does.

    If none does, try again for a while, as the page does.
    """

    def __init__(self, ports: range) -> None:
        self._ports, self._next = ports, 0
        self._transport = httpx.HTTPTransport(retries=0)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if answer := self._ask_each(request):
                return answer
            time.sleep(0.2)
        return httpx.Response(502)

    def _ask_each(self, request: httpx.Request) -> httpx.Response | None:
        self._next += 1
        for turn in range(len(self._ports)):
            port = self._ports[(self._next + turn) % len(self._ports)]
            request.url = request.url.copy_with(port=port)
            try:
                answer = self._transport.handle_request(request)
            except httpx.ConnectError:
                continue
            if answer.status_code != 503:
                return answer
            answer.close()
        return None

    def close(self) -> None:
        self._transport.close()


@contextmanager
def serving(data_dir: Path, workers: int = 1, **settings: str) -> Iterator[ServedSite]:
    """Serve a migrated site until the end of the block."""
    site = ServedSite(data_dir, workers, **settings)
    site.prepare()
    try:
        site.start()
        yield site
    finally:
        site.end()


def refusal(data_dir: Path, port: int, **settings: str) -> str:
    """Run `manage.py serve` with settings that it must refuse; return what it says."""
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=environment(data_dir, port, **settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert done.returncode == 1, done.stderr
    assert "started worker" not in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def wait_until(is_so: Callable[[], bool], said: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, said()
        time.sleep(0.05)


def restart_while_sending(site: ServedSite, member: OnlineMember) -> None:
    """Restart all workers while three tabs send, and expect that no send and no answer is lost."""
    ended, streams = threading.Event(), []

    def keep_sending(name: str) -> None:
        number = 0
        while not ended.is_set():
            number += 1
            with Reading(member, f"{name}{number:04}", "Hello") as reading:
                streams.append(reading.stream)

    senders = [threading.Thread(target=keep_sending, args=[name]) for name in "abc"]
    for sender in senders:
        sender.start()
    site.send(signal.SIGHUP)
    site.until_logged("all workers are restarted")
    ended.set()
    for sender in senders:
        sender.join()
    assert len(streams) >= 3
    assert all(each.done and each.key("state") == "complete" for each in streams)
    stored = site.run(
        "from chat.generations.models import Generation as G\n"
        "print(G.objects.count(), G.objects.filter(state='complete').count())"
    )
    assert stored == f"{len(streams)} {len(streams)}"
