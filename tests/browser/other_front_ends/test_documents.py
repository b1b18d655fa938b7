"""Browser code from Cloudflare's documents, from another origin, with only the URL changed.

What they show is Cloudflare's announcement of streaming, its documentation, and two posts that use it: an
EventSource by itself and in components of React and Vue, a loop over chunks that posts a conversation as
`text/event-stream`, and a component of Nuxt that posts an empty object. Their endpoint is `/w/<key>/chat`; what
they ask there by default, and as whom the model answers, is what the owner of the site has set.
"""

import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import front_ends
from tests.browser.built_site import BuiltSite, built_site
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import make_site
from tests.support.browser.front_ends import Run
from tests.support.browser.guides import FOLDER, block, build

OUTPUT = '<div id="output"></div>'
EVENT_SOURCE = """
const source = new EventSource("/worker-endpoint");
source.onmessage = (event) => {
  if (event.data === "[DONE]") {
    // Close the connection to prevent automatic reconnection
    source.close();
    return;
  }
  const data = JSON.parse(event.data);
  document.getElementById("output").innerHTML += data.response;
};
"""
PER_CHUNK = """
const EVENTSTREAM_PREFIX = 'data: ';
const EVENTSTREAM_ENDED = '[DONE]';

const URL_AI_STREAM = '/worker-endpoint';

async function requestAIStream(messages, chunkCallback) {
  try {
    const res = await fetch(URL_AI_STREAM, {
      method: 'POST',
      headers: { 'Content-Type': 'text/event-stream' },
      body: JSON.stringify({ messages })
    });
    const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
    while (true) {
      let { value, done } = await reader.read();
      for (const l of value.split('\\n')) {
        if (!l) continue;
        if (l.indexOf(EVENTSTREAM_PREFIX) >= 0) {
          const msgChunk = l.substring(EVENTSTREAM_PREFIX.length);
          if (msgChunk === EVENTSTREAM_ENDED) {
            done = true;
          } else {
            const { response } = JSON.parse(msgChunk);
            chunkCallback(response);
          }
        }
      }
      if (done) break;
    }
    reader.cancel();
  } catch (e) {
    console.trace(e);
  }
}
const output = document.getElementById("output");
requestAIStream(
  [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello, too." },
    { role: "user", content: "Where is New York?" },
  ],
  (text) => output.append(text),
);
"""


@pytest.fixture(scope="module")
def key(site: LiveSite, shop: HostSite) -> str:
    return make_site(site, shop, default_prompt="Where is New York?")


def shows_all(run: Run, selector: str = "#output") -> None:
    """Check that the element has the text of the log, ignoring line breaks."""
    words = "".join(run.log().text.split())
    run.page.wait_for_function(
        "([selector, words]) => document.querySelector(selector)?.textContent.replace(/\\s/g, '') === words",
        arg=[selector, words],
    )


@pytest.mark.parametrize("code", [EVENT_SOURCE, PER_CHUNK], ids=["EventSource", "fetch"])
def test_a_page_reads_an_answer(
    code: str, site: LiveSite, shop: HostSite, key: str, open_page: Callable[..., Page]
) -> None:
    address = f"{site.url}/w/{key}/chat"
    script = code.replace("/worker-endpoint", address).encode()
    front_ends.carry(shop, site.url, script, OUTPUT)
    page = open_page("about:blank", watched=False)
    run = Run(page, site, shop, key)
    with page.expect_response(lambda each: each.url == address and each.status == 200):
        page.goto(shop.origin)
    assert "New York" in run.log().text
    shows_all(run)
    page.wait_for_timeout(1500)  # an EventSource would have asked again
    assert len(run.generations) == 1


@pytest.fixture(scope="module")
def built() -> Iterator[BuiltSite]:
    with built_site() as host:
        yield host


@contextmanager
def built_page(folder: str, changes: dict[str, str], *command: str) -> Iterator[Path]:
    """Build tests/guides/documents with changed URLs, and return the folder."""
    (FOLDER / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER / "build", prefix="documents") as name:
        place = Path(name)
        shutil.copytree(FOLDER / "documents" / folder, place, dirs_exist_ok=True)
        if folder == "ai-sdk":
            (place / "src" / "Chat.jsx").write_text(block("jsx", "// ai-sdk.jsx", "front_ends.md"))
        for file in (each for each in place.rglob("*") if each.suffix in {".jsx", ".vue"}):
            text = file.read_text()
            for old, new in changes.items():
                text = text.replace(old, new)
            file.write_text(text)
        build(place, *command)
        yield place


BUILT = [
    ("react", ("vite", "build"), "dist", "#output"),
    ("vue", ("vite", "build"), "dist", "#output"),
    ("nuxt", ("nuxt", "generate"), ".output/public", ".quote"),
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("folder", "command", "output", "selector"), BUILT)
def test_a_component_reads_an_answer(
    folder: str,
    command: tuple[str, ...],
    output: str,
    selector: str,
    site: LiveSite,
    built: BuiltSite,
    open_page: Callable[..., Page],
) -> None:
    key = make_site(site, built, default_prompt="Where is New York?")
    address = f"{site.url}/w/{key}/chat"
    with built_page(
        folder, {"/worker-endpoint": address, "/api/ai-test": address}, *command
    ) as place:
        built.carry_front_end(site.url, place / output)
        page = open_page("about:blank", watched=False)
        run = Run(page, site, built, key)
        with page.expect_response(lambda each: each.url == address and each.status == 200):
            page.goto(built.origin)
        shows_all(run, selector)


@pytest.mark.timeout(600)
def test_use_chat_sends_stops_and_resumes(
    site: LiveSite, built: BuiltSite, open_page: Callable[..., Page]
) -> None:
    key = make_site(site, built)
    changes = {"https://chat.example.org": site.url, "<site key>": key}
    with built_page("ai-sdk", changes, "vite", "build") as place:
        built.carry_front_end(site.url, place / "dist")
        page = open_page(built.origin, watched=False)
        run = Run(page, site, built, key)
        page.get_by_label("Message").fill("Where is New York?")
        page.get_by_role("button", name="Send").click()
        page.wait_for_function("() => document.querySelectorAll('p').length === 2")
        shows_all(run, "[data-role=assistant]")
        page.get_by_label("Message").fill("/error-after 12")
        page.get_by_role("button", name="Send").click()
        page.get_by_role("alert").wait_for()
        assert page.get_by_role("alert").text_content() == run.log().key("error")["message"]
        page.goto(f"{built.origin}/?chat={uuid.uuid4()}")
        page.get_by_label("Message").fill("/slow")
        page.get_by_role("button", name="Send").click()
        page.wait_for_function(
            "() => document.querySelector('[data-role=assistant]')?.textContent.length > 10"
        )
        page.reload()
        page.wait_for_function(
            "() => document.querySelector('[data-role=assistant]')?.textContent.length > 20"
        )
        page.get_by_role("button", name="Stop").click()
        assert len(set(run.generations[-2:])) == 1
