"""Clients copied from public documents, in a page without our content security policy.

Three ways people read Workers AI in a browser: an EventSource, a loop over chunks that parses each by
itself, and a loop that buffers lines. They read our streams to the end without a change but the
address. (Ours keep the shape of those printed, with what the copies lost restored.)
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState

from tests.browser.server import LiveSite
from tests.support.servers.proxies import rechunking

EVENT_SOURCE = """
async ([address]) => {
  const el = document.getElementById("output");
  await new Promise((resolve) => {
    const source = new EventSource(address);
    source.onmessage = (event) => {
      if (event.data === "[DONE]") {
        source.close();
        resolve();
        return;
      }
      const data = JSON.parse(event.data);
      el.innerHTML += data.response;
    };
  });
  return el.textContent;
}
"""
#: Parses each chunk separately, which works only if no send splits a frame.
PER_CHUNK = """
async ([address, messages, contentType]) => {
  const PREFIX = "data: ", ENDED = "[DONE]";
  const el = document.getElementById("output");
  const res = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": contentType },
    body: JSON.stringify({ messages }),
  });
  const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    let { value, done } = await reader.read();
    for (const line of value.split("\\n")) {
      if (!line) continue;
      if (line.indexOf(PREFIX) >= 0) {
        const chunk = line.substring(PREFIX.length);
        if (chunk === ENDED) {
          done = true;
        } else {
          const { response } = JSON.parse(chunk);
          el.append(response);
        }
      }
    }
    if (done) break;
  }
  reader.cancel();
  return el.textContent;
}
"""
BUFFERED = """
async ([address, messages]) => {
  const el = document.getElementById("output");
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ messages }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    buffer += value;
    const lines = buffer.split("\\n");
    buffer = lines.pop() || "";
    for (const line of lines) {
      if (line.startsWith("data: ")) {
        const data = line.slice("data: ".length).trim();
        if (data === "[DONE]") break;
        const parsed = JSON.parse(data);
        if (parsed.response) el.append(parsed.response);
      }
    }
  }
  return el.textContent;
}
"""
START = """
async (messages) => {
  await fetch("/chat/stream", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ messages }),
  });
}
"""
#: Records the last answer, for clients that do not.
REMEMBERING = """
<!doctype html><div id=output></div>
<script>
  const real = window.fetch;
  window.fetch = async (...given) => {
    const response = await real(...given);
    window.generation = response.headers.get("X-Generation-Id") ?? window.generation;
    return response;
  };
</script>
"""
#: The last answer's whole text; for innerHTML, passed through the same parser.
WHOLE = """
async (asHtml) => {
  const text = await (await fetch(`/generations/${window.generation}/stream`)).text();
  const frames = text.split("\\n").filter((line) => line.startsWith("data: {"));
  const whole = frames.map((line) => JSON.parse(line.slice(6)).response).join("");
  if (!asHtml) return whole;
  return new DOMParser().parseFromString(`<div>${whole}</div>`, "text/html").body.textContent;
}
"""
ASKED = ["/quirks", "日本語 and 🌊"]
MORE = ["/long 300", "/think 80", "/bytes"]  # no HTML in them: innerHTML would parse it piecewise
CHUNKINGS = [0, 1]  # the largest piece in bytes; 0: as the server sends
long = pytest.mark.long
EVERY_CHUNKING = [
    *((text, largest) for text in ASKED for largest in CHUNKINGS),
    *(pytest.param(text, n, marks=long) for text in [*ASKED, *MORE] for n in (1, 2, 7, 100, 4096)),
]


@pytest.fixture
def copied_page(
    open_page: Callable[..., Page], signed_in: StorageState, site: LiveSite
) -> Callable[[str], Page]:
    """Open a page on this site's origin with the copied code, in which only the URL was changed."""

    def make(origin: str) -> Page:
        state: Any = json.loads(json.dumps(signed_in))
        page = open_page("about:blank", watched=False, storage_state=state)
        page.route(
            "**/copied.html",
            lambda route: route.fulfill(content_type="text/html", body=REMEMBERING),
        )
        page.goto(f"{origin}/copied.html")
        return page

    return make


def messages(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@pytest.mark.parametrize(("text", "largest"), EVERY_CHUNKING)
def test_an_event_source_and_a_buffered_loop_read_everything_however_it_is_split(
    text: str, largest: int, copied_page: Callable[[str], Page], site: LiveSite
) -> None:
    if largest == 0:
        _compare(copied_page(site.url), text)
        return
    with rechunking(site.url, largest, seed=largest) as url:
        _compare(copied_page(url), text)


def _compare(page: Page, text: str) -> None:
    page.evaluate(START, messages(text))
    generation_id = page.evaluate("() => window.generation")
    heard = page.evaluate(EVENT_SOURCE, [f"/generations/{generation_id}/stream"])
    assert heard == page.evaluate(WHOLE, True) != ""
    page.reload()
    heard = page.evaluate(BUFFERED, ["/chat/stream", messages(text)])
    assert heard == page.evaluate(WHOLE, False) != ""


@pytest.mark.parametrize("text", [*ASKED, *(pytest.param(text, marks=long) for text in MORE)])
@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
def test_a_loop_that_parses_each_chunk_separately_reads_everything(
    text: str, content_type: str, copied_page: Callable[[str], Page], site: LiveSite
) -> None:
    page = copied_page(site.url)
    heard = page.evaluate(PER_CHUNK, ["/chat/stream", messages(text), content_type])
    assert heard == page.evaluate(WHOLE, False) != ""
