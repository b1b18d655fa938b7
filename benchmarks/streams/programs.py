"""Our model's side and those that we are measured beside, as processes that end with a block."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from benchmarks.streams.targets import Target
from benchmarks.streams.usage import MEASURING_CORES, SERVER_CORES, on
from tests.support.servers.nginx import BINARY as NGINX
from tests.support.servers.server import ROOT, free_port

START_SECONDS = 60
CSRF = "a" * 32
RELAYED = b'{"messages":[{"role":"user","content":"Hello"}],"stream":true}'
NGINX_CONFIG = """
worker_processes 1;
worker_rlimit_nofile 16384;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream model {{ server 127.0.0.1:{upstream}; keepalive 1024; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location / {{
            proxy_pass http://model;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
        }}
    }}
}}
"""


@dataclass(frozen=True, slots=True)
class Upstream:
    port: int
    pid: int

    @property
    def url(self) -> str:
        """What the site is told."""
        return f"http://127.0.0.1:{self.port}/client/v4"

    @property
    def model_path(self) -> str:
        return "/client/v4/accounts/a/ai/run/@cf/meta/llama"

    def set_pace(self, rate: float, tokens: int) -> None:
        self._get(f"/ctl?rate={rate:g}&tokens={tokens}")

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = json.loads(self._get("/stats"))
        return found

    def _get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            content: bytes = answer.read()
        return content


@contextmanager
def upstream() -> Iterator[Upstream]:
    command = [sys.executable, "-m", "benchmarks.streams.upstream"]
    with on(MEASURING_CORES):
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    with process:
        assert process.stdin
        assert process.stdout
        try:
            yield Upstream(int(process.stdout.readline()), process.pid)
        finally:
            process.stdin.close()
            process.terminate()


@contextmanager
def nginx(model: Upstream, folder: Path) -> Iterator[Target | None]:
    """None where there is no nginx."""
    if NGINX is None:
        yield None
        return
    port = free_port()
    config = folder / "nginx.conf"
    user = "" if os.geteuid() else "user root;"
    config.write_text(NGINX_CONFIG.format(folder=folder, user=user, upstream=model.port, port=port))
    command = [NGINX, "-p", str(folder), "-c", str(config), "-e", str(folder / "start.log")]
    with _running(command, port) as pid:
        yield Target("nginx", port, model.model_path, RELAYED, pid)


@contextmanager
def stock_django(model: Upstream, folder: Path) -> Iterator[Target]:
    env = os.environ | {"FOLDER": str(folder), "UPSTREAM": model.url}
    prepare = [sys.executable, "-m", "benchmarks.streams.stock_django"]
    session = subprocess.run(
        prepare, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    port = free_port()
    command = [
        *(sys.executable, "-m", "uvicorn", "--log-level", "warning", "--port", str(port)),
        "benchmarks.streams.stock_django:application",
    ]
    with _running(command, port, env) as pid:
        yield Target("stock Django", port, "/relay", RELAYED, pid, repeat(signed_in(session)))


def signed_in(session: str) -> dict[str, str]:
    return {
        "Cookie": f"sessionid={session}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
        "Sec-Fetch-Site": "same-origin",
    }


@contextmanager
def _running(command: list[str], port: int, env: dict[str, str] | None = None) -> Iterator[int]:
    """Yield the process's id once it answers."""
    with on(SERVER_CORES):
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            assert process.poll() is None, f"{command[0]} ended"
            assert time.monotonic() < deadline, f"{command[0]} does not answer"
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/stats", timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True
