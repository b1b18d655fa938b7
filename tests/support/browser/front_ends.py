"""Helpers for the tests of front ends."""

import time
from typing import Any

import httpx
from playwright.sync_api import Page

from chat.lib.sse import SseDecoder
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.support.generations.stream_reader import Stream
from tests.support.patience import PATIENCE_SECONDS


class Run:
    """What one client received, and the site's log of that answer."""

    def __init__(self, page: Page, site: LiveSite, shop: HostSite, key: str) -> None:
        self.page, self.site, self.shop, self.key = page, site, shop, key
        self.generations: list[str] = []
        page.on("response", self._note)

    def begin(self, name: str, prompt: str, chat: str) -> None:
        """Start without waiting: `running` is the promise, `heard` what has arrived so far."""
        self.page.evaluate(
            "(given) => { window.running = run(...given); }", [name, f"{chat}/w/{self.key}", prompt]
        )

    def run(self, name: str, prompt: str, stop_after: int = 0, chat: str = "") -> Any:
        address = f"{chat or self.site.url}/w/{self.key}"
        return self.page.evaluate(
            "([name, address, prompt, stopAfter]) => run(name, address, prompt, stopAfter)",
            [name, address, prompt, stop_after],
        )

    def log(self) -> Stream:
        """Return the log of the most recent answer."""
        stream, decoder = Stream(), SseDecoder()
        url = f"{self.site.url}/w/{self.key}/generations/{self.generations[-1]}/stream"
        headers = {"Origin": self.shop.origin}
        with httpx.stream("GET", url, headers=headers, timeout=PATIENCE_SECONDS) as response:
            assert response.status_code == 200
            for chunk in response.iter_raw():
                stream.feed(decoder, chunk)
        return stream

    def _note(self, response: Any) -> None:
        if found := response.headers.get("x-generation-id"):
            self.generations.append(found)


def state_in_the_end(run: Run) -> Any:
    """Return the final state without reading the stream, which would keep the answer running."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = run.site.run(STATE.format(generation=run.generations[-1]))
        if found:
            return run.log().key("state")
        time.sleep(0.5)
    return "running"


#: Whether the answer was settled: a temporary answer leaves no other trace in the database.
STATE = """
from chat.quotas.models import Charge
print("ended" if Charge.objects.filter(id="{generation}").exclude(settled_at=None) else "")
"""
