"""Record what a page requests, and in which order."""

from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.browser.chromium import devtools

#: Runs idle callbacks soon, so that their requests are recorded even on a busy machine.
IDLE = "() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)))"
#: Pages name their icon; this one is asked for, late, by whatever was there before and names none.
UNNAMED_ICON = "/favicon.ico"
#: A browser asks for the icon when it likes, maybe on the next visit only; so it gets it here.
ICON = """async () => {
  for (const icon of document.querySelectorAll("link[rel=icon]")) await fetch(icon.href);
}"""


class Loaded(NamedTuple):
    kind: str
    path: str
    size: int  # bytes on the wire
    depth: int  # how many responses had to arrive before it could be requested
    cache: str


class Visit:
    """Open a URL and wait for its last request; requests answered from the cache do not count."""

    def __init__(self, page: Page, path: str) -> None:
        self._parents: dict[str, str] = {}
        self._answers: dict[str, Any] = {}
        self.loaded: list[Loaded] = []
        session = devtools(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._ended)
        page.goto(path)
        for wait in (IDLE, ICON, IDLE):
            page.wait_for_load_state("networkidle")
            page.evaluate(wait)
        session.detach()

    def _asked(self, event: dict[str, Any]) -> None:
        initiator = event["initiator"]
        frames = initiator.get("stack", {}).get("callFrames", [])
        parent = initiator.get("url") or (frames[0]["url"] if frames else "")
        self._parents.setdefault(event["request"]["url"], parent)

    def _answered(self, event: dict[str, Any]) -> None:
        self._answers[event["requestId"]] = event

    def _ended(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        answer = self._answers[event["requestId"]]
        response = answer["response"]
        if not size or response.get("fromDiskCache"):
            return
        headers = {name.lower(): value for name, value in response["headers"].items()}
        path = "/" + response["url"].split("/", 3)[3]
        cache = headers.get("cache-control", "")
        loaded = Loaded(answer["type"], path, size, self._depth(response["url"]), cache)
        if path != UNNAMED_ICON:
            self.loaded.append(loaded)

    def _depth(self, url: str) -> int:
        parent = self._parents.get(url)
        return 1 + self._depth(parent) if parent and parent != url else 0
