"""With a challenge service, a new visitor passes its challenge in the frame."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.host_site import host_site
from tests.browser.server import live_site
from tests.browser.widget_page import WidgetPage, make_site

pytestmark = pytest.mark.long  # it starts a site of its own
SCRIPT = """
addEventListener("load", () => {
  const place = document.querySelector(".cf-turnstile");
  const button = document.createElement("button");
  button.textContent = "I am a person";
  button.onclick = () => window[place.dataset.callback](`${place.dataset.sitekey} passed`);
  place.append(button);
});
"""


@pytest.fixture
def service() -> Iterator[str]:
    """Fake a service like Turnstile: a script for pages, and a URL that verifies its results."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send("text/javascript", SCRIPT)

        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            is_right = form == "secret=ours&response=public+passed"
            self._send("application/json", json.dumps({"success": is_right}))

        def _send(self, kind: str, body: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_new_visitor_passes_the_challenge_once(
    browser: Browser, service: str, tmp_path: Path
) -> None:
    settings = {
        "CHALLENGE_URL": f"{service}/siteverify",
        "CHALLENGE_SECRET": "ours",
        "CHALLENGE_SCRIPT": f"{service}/api.js",
        "CHALLENGE_SITE_KEY": "public",
    }
    with live_site(tmp_path, **settings) as site, host_site() as host:
        host.carry(site.url, make_site(site, host))
        page = browser.new_page()
        page.goto(host.origin)
        widget = WidgetPage(page)
        widget.open()
        challenge = widget.frame.frame_locator("iframe.challenge")
        challenge.get_by_role("button", name="I am a person").click()
        expect(widget.frame.locator("iframe.challenge")).to_have_count(0)
        assert widget.ask("Hello")
        page.reload()
        widget.wait_until_usable()
        expect(widget.questions).to_have_text(["Hello"])
        page.close()
