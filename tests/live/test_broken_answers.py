"""Responses that fail after they have started, and open streams at shutdown."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore

import httpx
import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import BIN, ROOT, UVICORN, Server, free_port, running
from tests.support.widget.site_with_origin import MAKE_SITE, ORIGIN

#: An application with a fault, behind our guard.
FAULTY = """
from project.asgi.guards.broken_answers import BrokenAnswers

async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"Well", "more_body": True})
        1 / 0

application = BrokenAnswers(app)
"""


def test_a_failure_during_a_response_closes_the_connection(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    port = free_port()
    name, *options = UVICORN.format(port=port).split()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(BIN / name), *options, "faulty:application"],
            cwd=tmp_path,
            env=environment,
            stderr=output,
        )
    try:
        with pytest.raises(httpx.RemoteProtocolError, match="incomplete"):
            get_once_it_answers(f"http://127.0.0.1:{port}/")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while b"ZeroDivisionError" not in log.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def get_once_it_answers(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            httpx.get(url, timeout=PATIENCE_SECONDS, trust_env=False)
        except httpx.ConnectError:
            time.sleep(0.05)


@pytest.fixture
def slow_server() -> Iterator[Server]:
    with running(EMULATOR_TOKENS_PER_SECOND="20") as server:
        yield server


def test_interrupted_responses_are_not_logged_as_errors(slow_server: Server) -> None:
    server = slow_server
    key = server.manage("shell", "-v", "0", "-c", MAKE_SITE).strip().splitlines()[-1]

    begun = Semaphore(0)

    def ask(endpoint: str, prompt: str) -> bytes | None:
        """Return the response; None if the connection was aborted."""
        body = {"prompt": prompt, "stream": True}
        url = f"{server.url}/w/{key}/{endpoint}"
        with httpx.Client(timeout=PATIENCE_SECONDS, headers=ORIGIN, trust_env=False) as client:
            try:
                with client.stream("POST", url, json=body) as response:
                    pieces = response.iter_raw()
                    came = next(pieces)
                    begun.release()
                    return came + b"".join(pieces)
            except httpx.RemoteProtocolError:
                return None

    assert ask("chat/text", "/error-after 12") is None
    endpoints = ["chat", "chat/html", "chat/ui", "v1/chat/completions", "chat/text"] * 2
    with ThreadPoolExecutor(len(endpoints)) as threads:
        answers = [threads.submit(ask, endpoint, "/long 3000") for endpoint in endpoints]
        for _ in range(1 + len(endpoints)):
            assert begun.acquire(timeout=PATIENCE_SECONDS)
        server.send(signal.SIGTERM)
        assert server.wait(PATIENCE_SECONDS) is not None
    came = [each.result() for each in answers]
    assert [each is None for each in came] == [*[False] * 4, True] * 2, came
    log = server.log.read_text()
    for word in ("Traceback", "RequestAborted", "AnswerIncomplete", "without completing response"):
        assert word not in log, log[-3000:]
