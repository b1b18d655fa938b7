"""Serve a built website from another host than the chat's, with a server that signs identity tokens."""

import re
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.browser.host_site import STRICT, HostSite

INLINE = re.compile(r"<script(?![^>]* src=)[^>]*>(.*?)</script>", re.DOTALL)


class BuiltSite(HostSite):
    """A website whose folder, policy and signed-in user are set by the test."""

    folder: Path
    sign: Callable[[], str]

    def carry_build(self, chat: str, folder: Path, sign: Callable[[], str]) -> None:
        """Use the strictest policy for a website with scripts, styles and a server of its own."""
        scripts = " ".join(["'self'", *_hashes(folder), chat])
        rules = f"script-src {scripts}; frame-src {chat}; connect-src 'self'; style-src 'self'"
        policy = STRICT.replace("form-action 'none'", "form-action 'self'")
        self.headers = {"Content-Security-Policy": f"{policy}; {rules}; img-src 'self' data:"}
        self.folder, self.sign = folder, sign

    def carry_front_end(self, chat: str, folder: Path) -> None:
        """Use a policy for a page that requests answers itself and whose framework writes styles."""
        scripts = " ".join(["'self'", *_hashes(folder)])
        rules = f"script-src {scripts}; connect-src 'self' {chat}; style-src 'self' 'unsafe-inline'"
        self.headers = {"Content-Security-Policy": f"{STRICT}; {rules}; img-src 'self' data:"}
        self.folder, self.sign = folder, str


def _hashes(folder: Path) -> set[str]:
    """Return the hashes of inline scripts, such as Nuxt's, in the form of a policy."""
    scripts = [each for page in folder.rglob("*.html") for each in INLINE.findall(page.read_text())]
    return {f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in scripts}


@contextmanager
def built_site() -> Iterator[BuiltSite]:
    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.directory = str(host.folder)
            if self.path == "/chat-identity":
                self._answer(200, host.sign().encode())
            else:
                super().do_GET()

        def do_POST(self) -> None:
            """Sign out, and redirect to the first page."""
            self._answer(303, b"")

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Location", "/")
            self.end_headers()
            self.wfile.write(body)

        def end_headers(self) -> None:
            for name, value in host.headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host = BuiltSite(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
