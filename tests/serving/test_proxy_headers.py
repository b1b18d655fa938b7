"""Responses of the shipped proxies, their own errors included, name HSTS once and a charset."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.missing_programs import require
from tests.support.servers import caddy, nginx

PROXIES = {"nginx": (nginx.BINARY, nginx.nginx_before), "caddy": (caddy.BINARY, caddy.caddy_before)}
YEAR = "max-age=31536000"
pytestmark = pytest.mark.xdist_group("serving")


class Worker(BaseHTTPRequestHandler):
    """Answers like the site behind HTTPS, and like a guard before Django, which knows no HSTS."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(431 if self.path == "/refused" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", "2")
        if self.path != "/refused":
            self.send_header("Strict-Transport-Security", YEAR)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def worker() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Worker) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize("name", PROXIES)
def test_every_response_names_hsts_once_and_files_their_charset(
    name: str, worker: int, tmp_path: Path
) -> None:
    binary, before = PROXIES[name]
    require(binary, name)
    (tmp_path / "static").mkdir()
    for file in ("a.css", "a.js", "b.0123456789ab.css"):
        (tmp_path / "static" / file).write_text("/* ü */")
    (tmp_path / "proxy").mkdir()
    with before([worker], tmp_path / "proxy", tmp_path) as url, nginx.client_of(url) as client:
        for path, status in (
            ("/chat/", 200), ("/refused", 431), ("/metrics", 404), ("/static/a.css", 200),
            ("/static/a.js", 200), ("/static/b.0123456789ab.css", 200), ("/static/c.css", 200),
        ):  # fmt: skip
            response = client.get(path)
            assert response.status_code == status, path
            assert response.headers.get_list("Strict-Transport-Security") == [YEAR], path
            if path.startswith("/static/"):
                assert "charset=utf-8" in response.headers["Content-Type"], path
        too_long = client.post("/chat/", content=bytes(9_000_000))
        assert too_long.status_code == 413
        assert too_long.headers.get_list("Strict-Transport-Security") == [YEAR]
