"""Run deploy/nginx.conf in a real nginx, with a test's ports, folders and certificate."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT, free_port

CONFIG = ROOT / "deploy" / "nginx.conf"
NAME = "chat.example.org"
BINARY = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
START_SECONDS = PATIENCE_SECONDS


@contextmanager
def nginx_before(
    ports: Iterable[int],
    folder: Path,
    static_root: Path,
    change: Callable[[str], str] = lambda text: text,
) -> Iterator[str]:
    """Yield the URL of an nginx in front of servers on these ports; it logs to `folder`.

    `change` may spoil the shipped file. The certificate is `site.pem` in the folder.
    """
    assert BINARY
    certify(folder)
    tls = free_port()
    config = folder / "nginx.conf"
    config.write_text(change(_moved(CONFIG.read_text(), folder, tls, ports, static_root)))
    (folder / "mime.types").write_text("types { text/css css; text/javascript js; }\n")
    command = [BINARY, "-p", str(folder), "-c", str(config), "-e", str(folder / "start.log")]
    process = subprocess.Popen([*command, "-g", f"daemon off; pid {folder}/nginx.pid; {_user()}"])
    try:
        _wait(f"https://127.0.0.1:{tls}", process)
        yield f"https://127.0.0.1:{tls}"
    finally:
        process.terminate()
        process.wait(10)


def client_of(url: str) -> httpx.Client:
    """Return a client that requests `url` under the site's name."""
    return httpx.Client(base_url=url, headers={"Host": NAME}, verify=False, trust_env=False)


def _user() -> str:
    """Return the user directive: the folder belongs to whoever runs the test."""
    return "" if os.geteuid() else "user root;"


def _moved(text: str, folder: Path, tls: int, ports: Iterable[int], static_root: Path) -> str:
    """Change only paths and ports of the shipped file."""
    text = text.replace("/var/log/nginx/", f"{folder}/")
    text = text.replace(f"/etc/ssl/{NAME}", f"{folder}/site")
    text = text.replace("listen 443", f"listen 127.0.0.1:{tls}")
    text = text.replace("root /var/cache/runnel;", f"root {static_root};")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = re.sub(r"\n *listen \[::\]:[^\n]*", "", text)
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text = text.replace("http {", f"http {{\n    {kind}_temp_path {folder}/{kind};", 1)
    text = text.replace("        server 127.0.0.1:8001 max_fails=0;\n", "")
    workers = "\n".join(f"server 127.0.0.1:{port} max_fails=0;" for port in ports)
    return text.replace("server 127.0.0.1:8000 max_fails=0;", workers)


def certify(folder: Path, host: str = NAME) -> None:
    """Write a certificate for a host, site.pem and site.key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "site.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "site.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    with client_of(url) as client:
        while time.monotonic() < deadline:
            assert process.poll() is None, "nginx ended"
            try:
                client.get("/healthz")
            except httpx.HTTPError:
                time.sleep(0.02)
            else:
                return
    raise AssertionError("nginx does not answer")
