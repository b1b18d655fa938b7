"""The preview of hostile code runs none of it, and opens no connection to another host."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page

from tests.browser.chat_page import ChatPage
from tests.support.browser.preview_attacks import DIAGRAMS, IMAGES, PAGES, RAN

#: Shows each code in a frame of its own, and collects what any frame says to the page.
SHOW = """async ([kind, sources]) => {
  const { togglePreview } = await import("code_preview");
  window.said = [];
  addEventListener("message", ({ data }) => said.push(data));
  const thread = document.getElementById("thread");
  for (const [n, source] of sources.entries()) {
    const block = document.createElement("div");
    block.className = "code-block";
    block.dataset.attack = n;
    const button = document.createElement("button");
    block.append(button);
    thread.append(block);
    togglePreview(block, button, { kind, source });
  }
}"""
#: An image or a diagram is there, or has been given up.
DRAWN = """() => [...document.querySelectorAll(".code-preview-frame:not([data-kind=page])")]
  .every((frame) => frame.style.length)"""
CLICKABLE = "a, area, button, text, input, mtext"
CLICK = "e => e.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))"
TIME_TO_ACT_MS = 1500

pytestmark = pytest.mark.long


class OtherHost:
    """Listens on a port for each attack, and says which of them somebody connected to."""

    def __init__(self, count: int) -> None:
        self._servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
        self.addresses = [f"http://127.0.0.1:{each.getsockname()[1]}/" for each in self._servers]
        self.reached: set[int] = set()
        for number, server in enumerate(self._servers):
            threading.Thread(target=self._listen, args=(number, server), daemon=True).start()

    def _listen(self, number: int, server: socket.socket) -> None:
        try:
            while True:
                server.accept()[0].close()
                self.reached.add(number)
        except OSError:  # closed
            return

    def close(self) -> None:
        for each in self._servers:
            each.shutdown(socket.SHUT_RDWR)
            each.close()


@contextmanager
def other_host(count: int) -> Iterator[OtherHost]:
    host = OtherHost(count)
    try:
        yield host
    finally:
        host.close()


def filled(text: str, address: str) -> str:
    return text.replace("{host}", address).replace("{ran}", RAN)


def attack(page: Page, kind: str, attacks: tuple[str, ...]) -> tuple[set[str], list[str]]:
    """Show all, and press whatever can be. Return what reached the host, and what was said."""
    with other_host(len(attacks)) as host:
        codes = [filled(text, host.addresses[n]) for n, text in enumerate(attacks)]
        page.evaluate(SHOW, [kind, codes])
        page.wait_for_function("count => said.length >= count", arg=len(codes))
        page.wait_for_function(DRAWN)
        page.wait_for_timeout(TIME_TO_ACT_MS)
        for frame in page.frames[1:]:
            for element in frame.locator(CLICKABLE).all():
                element.evaluate(CLICK)
                for button in ("left", "middle") if element.is_visible() else ():
                    element.click(button=button, force=True, no_wait_after=True)
        page.wait_for_timeout(TIME_TO_ACT_MS)
        reached = {attacks[number] for number in host.reached}
    return reached, [each for each in page.evaluate("said") if each != "ready"]


@pytest.mark.parametrize(
    ("kind", "attacks"), [("page", PAGES), ("image", IMAGES), ("diagram", DIAGRAMS)]
)
def test_no_preview_runs_code_or_connects(
    open_chat: Callable[..., ChatPage], kind: str, attacks: tuple[str, ...]
) -> None:
    page = open_chat(watched=False).page  # the policy refuses some of it, as it should
    address, title = page.url, page.title()
    assert attack(page, kind, attacks) == (set(), [])
    assert (page.url, page.title()) == (address, title)
    assert len(page.context.pages) == 1


@pytest.mark.parametrize(
    "way", ["<img src={host}>", "@import '{host}'", "<iframe src={host}>", "=refresh"]
)
def test_the_other_host_notices_connections(open_chat: Callable[..., ChatPage], way: str) -> None:
    """Without protection, attacks reach it; so the test above would see them."""
    text = next(each for each in PAGES if way in each)
    page = open_chat(watched=False).page.context.new_page()
    with other_host(1) as host:
        page.set_content(filled(text, host.addresses[0]))
        while not host.reached:
            page.wait_for_timeout(20)
