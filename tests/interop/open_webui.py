"""Run Open WebUI with the settings that the page of API keys tells to paste."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.support.api.client_environments import program
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import free_port

START_SECONDS = PATIENCE_SECONDS
#: It has no network, and none of the packages for documents.
SETTINGS = {
    "WEBUI_SECRET_KEY": "secret",
    "OFFLINE_MODE": "true",
    "HF_HUB_OFFLINE": "1",
    "RAG_EMBEDDING_ENGINE": "openai",
    "ENABLE_OLLAMA_API": "false",
    "ANONYMIZED_TELEMETRY": "false",
}


@contextmanager
def running_open_webui(folder: Path, snippet: str, key: str) -> Iterator[httpx.Client]:
    """Run it with the snippet as its environment; yield a client that has signed up."""
    port = free_port()
    command = (
        f"set -a\n{snippet}\nset +a\nexec {program('open_webui', 'open-webui')} serve --port {port}"
    )
    environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {"HOME": str(folder), "DATA_DIR": str(folder), "RUNNEL_API_KEY": key}
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=environment | SETTINGS | own,
            stdout=output,
            stderr=output,
        )
    try:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30
        ) as client:
            _wait(process, client, log)
            _sign_up(client)
            yield client
    finally:
        process.terminate()
        process.wait(20)


def _wait(process: subprocess.Popen[bytes], client: httpx.Client, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(errors="replace")[-4000:]
        try:
            client.get("/health").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(log.read_text(errors="replace")[-4000:])


def _sign_up(client: httpx.Client) -> None:
    person = {"name": "Alice", "email": "alice@example.org", "password": "a quiet reading room"}
    answer = client.post("/api/v1/auths/signup", json=person)
    answer.raise_for_status()
    client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
