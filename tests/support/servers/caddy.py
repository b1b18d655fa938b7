"""Run deploy/Caddyfile in a real Caddy, in front of a test's workers."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.nginx import certify, client_of
from tests.support.servers.server import ROOT, free_port

CONFIG = ROOT / "deploy" / "Caddyfile"
BINARY = shutil.which("caddy")
START_SECONDS = PATIENCE_SECONDS


@contextmanager
def caddy_before(ports: Iterable[int], folder: Path, static_root: Path) -> Iterator[str]:
    """Yield the URL of a Caddy in front of servers on these ports; it logs to `folder`/caddy.log.

    Only ports and the certificate differ from the shipped file.
    """
    assert BINARY
    certify(folder)
    tls = free_port()
    text = "\n" + CONFIG.read_text()
    text = text.replace(
        "\n{\n",
        "\n{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni chat.example.org\n",
        1,
    )
    text = re.sub(
        r"(?m)^(\{\$SITE_HOST.*\}) \{$",
        f"https://chat.example.org:{tls} {{\n\ttls {folder}/site.pem {folder}/site.key",
        text,
    )
    config = folder / "Caddyfile"
    config.write_text(text)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SITE_HOST": "chat.example.org",
        "UPSTREAMS": " ".join(f"127.0.0.1:{port}" for port in ports),
        "STATIC_ROOT": str(static_root),
    }
    with (folder / "caddy.log").open("ab") as log:
        process = subprocess.Popen(
            [BINARY, "run", "--config", str(config), "--adapter", "caddyfile"],
            env=env, stdout=log, stderr=log,
        )  # fmt: skip
    url = f"https://127.0.0.1:{tls}"
    try:
        _wait(url, process, folder)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def _wait(url: str, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    with client_of(url) as client:
        while time.monotonic() < deadline:
            assert process.poll() is None, (folder / "caddy.log").read_text()
            try:
                client.get("/healthz")
            except httpx.HTTPError:
                time.sleep(0.05)
            else:
                return
    raise AssertionError("Caddy does not answer")
