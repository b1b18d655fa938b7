import contextlib
import os
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django.template.loader import render_to_string

from chat.widget_sites.demo import demo_site, origin_beside

LOOK_SECONDS = 1.0


class Command(BaseCommand):
    help = "Serves a demo website that shows the chat, on this machine only."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("port", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        port = options["port"]
        try:
            server = ThreadingHTTPServer(("127.0.0.1", port), Page)
        except OSError as error:
            self.stderr.write(f"The demo website can't use port {port} ({error.strerror}).")
            return
        Page.origin = origin_beside(settings.SITE_URL, port)
        self.stdout.write(f"The demo website with the chat is at {Page.origin}/")
        self.stdout.flush()
        threading.Thread(target=_end_with_parent, args=[server], daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


class Page(BaseHTTPRequestHandler):
    """Serve one page with a strict policy that allows only the chat's origin."""

    origin = ""

    def do_GET(self) -> None:
        try:
            site = demo_site(self.origin)
        finally:
            connection.close()
        chat, nonce = settings.SITE_URL, secrets.token_urlsafe(16)
        context = {"site": site, "chat": chat, "nonce": nonce}
        body = render_to_string("widget/demo.html", context).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", _policy(chat, nonce))
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing; the site's own log is enough."""


def _policy(chat: str, nonce: str) -> str:
    parts = [
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:",
        f"style-src 'nonce-{nonce}'; script-src {chat}; frame-src {chat}",
        "require-trusted-types-for 'script'; trusted-types 'none'",
    ]
    return "; ".join(parts)


def _end_with_parent(server: ThreadingHTTPServer) -> None:
    """Stop the server when its parent process ends."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    server.shutdown()
