"""Serve a website on another host than the chat's, with one page that has the tag.

To a browser `localhost` and `127.0.0.1` are different sites; so what the frame keeps is a third party's.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STRICT = "default-src 'none'; base-uri 'none'; form-action 'none'"
TRUSTED = "require-trusted-types-for 'script'; trusted-types 'none'"
PAGE = """<!doctype html>
<html lang="en" dir="{direction}">
  <head><meta charset="utf-8"><title>Canoes</title><meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,">
  <script async src="{chat}/w.js" data-site="{key}" {data}></script></head>
  <body><main><h1>Canoes for hire</h1><p>By the hour and by the day.</p>
  <p><a href="?again">Prices</a></p></main></body>
</html>"""


class HostSite:
    """A website whose content is set by the test."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://localhost:{port}"
        self.body = ""
        self.headers: dict[str, str] = {}
        self.files: dict[str, tuple[str, bytes]] = {}  # by path: content type, content

    def carry(
        self, chat: str, key: str, data: str = "data-test-open-root", direction: str = "ltr"
    ) -> None:
        """Serve a page with a strict policy that allows only the chat's origin."""
        self.body = PAGE.format(chat=chat, key=key, data=data, direction=direction)
        policy = f"{STRICT}; img-src data:; script-src {chat}; frame-src {chat}; {TRUSTED}"
        self.headers = {"Content-Security-Policy": policy}


@contextmanager
def host_site() -> Iterator[HostSite]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, content = host.files.get(self.path, ("text/html; charset=utf-8", b""))
            self.send_response(200)
            headers = {"Content-Type": kind} | host.headers
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content or host.body.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host = HostSite(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
