"""Measure what the widget costs a website: `make bench-widget`. Fails above a limit."""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from benchmarks.page.browser import traced
from benchmarks.page.limits import Limits
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite, live_site
from tests.browser.visit import Visit
from tests.browser.widget_page import WidgetPage, make_site

KB = 1024
TIMES = 5
CLICKS = 9
#: As a module is requested by a page of the same origin.
FROM_THE_SITE = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}
SETTLED_MS = 1500
#: How long a visitor points at the button before the click.
POINTING_MS = 100
#: How many times as long as an empty frame the chat may take.
MAX_EMPTY_FRAMES = 3
EMPTY = "<!doctype html><title>Empty</title><script>parent.postMessage('ready', '*')</script>"
BUTTON = "<!doctype html><title>Host</title><link rel=icon href=data:,><button>Open</button>"
#: Resolves `times` with when the visitor clicked and when the session had begun, in milliseconds.
TIMES_OF_CLICK = """() => {
  window.times = new Promise((resolve) => {
    document.addEventListener("click", ({ timeStamp }) => {
      const { timeOrigin } = performance;
      Runnel.on("ready", () => resolve([timeOrigin + timeStamp, timeOrigin + performance.now()]));
    }, { capture: true, once: true });
  });
}"""
#: In the frame: when its script had made everything work, and requested the session at last.
WHEN_USABLE = """() => {
  const requests = performance.getEntriesByType("resource");
  return performance.timeOrigin + requests.find(({ name }) => name.endsWith("/session")).startTime;
}"""
#: Resolves `passed` with the milliseconds until the frame has sent its message.
FRAME_ON_CLICK = """(address) => {
  window.passed = new Promise((resolve) => {
    document.querySelector("button").onclick = ({ timeStamp }) => {
      addEventListener("message", () => resolve(performance.now() - timeStamp));
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
    };
  });
}"""
WATCH = """
window.shifts = 0;
window.longTasks = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) shifts += value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  longTasks += list.getEntries().length;
}).observe({ type: "longtask", buffered: true });
"""


def main() -> int:
    limits = Limits()
    found = find_chromium()
    with (
        tempfile.TemporaryDirectory() as folder,
        live_site(Path(folder)) as site,
        host_site() as host,
        sync_playwright() as playwright,
    ):
        key = make_site(site, host)
        host.carry(site.url, key)
        browser = playwright.chromium.launch(
            executable_path=found.path, args=list(FLAGS), env={**found.environment}
        )
        sizes(site, browser, key, limits)
        before_the_click(site, host, browser, key, limits)
        with host_site() as empty:
            empty.body = EMPTY
            after_the_click(host, empty, browser, limits)
        browser.close()
    print("\n" + ("Passed: " + ", ".join(limits.passed) if limits.passed else "Within all limits."))
    return 1 if limits.passed else 0


def sizes(site: LiveSite, browser: Browser, key: str, limits: Limits) -> None:
    print("\nAs it is sent")
    with httpx.stream("GET", f"{site.url}/w.js", headers={"Accept-Encoding": "gzip"}) as loader:
        size = sum(len(piece) for piece in loader.iter_raw())
    limits.check("loader, KB", size / KB, 2.5)
    with httpx.stream("GET", f"{site.url}/w/{key}/look.js", headers=FROM_THE_SITE) as look:
        size = sum(len(piece) for piece in look.iter_raw())
    limits.check("look, KB", size / KB, 1)
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/healthz")
    loaded = Visit(page, f"/w/{key}/").loaded
    for kind, most in (("Script", 60), ("Stylesheet", 15)):
        part = sum(each.size for each in loaded if each.kind == kind)
        limits.check(f"frame, {kind.lower()}s, KB", part / KB, most)
    context.close()


def before_the_click(
    site: LiveSite, host: HostSite, browser: Browser, key: str, limits: Limits
) -> None:
    print("\nWhat a page of the website has of it before somebody clicks")
    context = browser.new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto("about:blank")
    with traced(browser, page) as tasks:
        page.goto(host.origin)
        WidgetPage(page).launcher.wait_for()
        page.wait_for_timeout(SETTLED_MS)
    limits.check("requests", sum(each.startswith(site.url) for each in asked), 2)
    limits.check("cookies", len(context.cookies()), 0)
    limits.check("layout shift", page.evaluate("shifts"), 0)
    limits.check("tasks over 50 ms", page.evaluate("longTasks"), 0)
    context.close()
    own = [script_ms(host, browser) for _ in range(TIMES)]
    print(f"  its script took {', '.join(f'{each:.1f}' for each in own)} ms")
    print(f"  the longest task of the whole page: {max(tasks):.0f} ms")
    limits.check("its script, ms (median)", statistics.median(own), 5)


def script_ms(host: HostSite, browser: Browser) -> float:
    """Return the main thread's time to compile and run the loader, in milliseconds."""
    context = browser.new_context()
    page = context.new_page()
    browser.start_tracing(page=page, categories=["devtools.timeline", "v8"])
    page.goto(host.origin)
    WidgetPage(page).launcher.wait_for()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    ours = [
        min(each.get("tdur", each["dur"]), each["dur"])
        for each in events
        if each["name"] in {"EvaluateScript", "v8.compile"}
        and each.get("args", {}).get("data", {}).get("url", "").endswith("/w.js")
    ]
    return sum(ours) / 1000


def after_the_click(host: HostSite, empty: HostSite, browser: Browser, limits: Limits) -> None:
    """Measure the chat and an empty frame in turns, so that both meet the same load."""
    print(f"\nFrom the click until one can write, with nothing in the cache, {CLICKS} times")
    rows = [(*first_click(host, browser), empty_frame(host, empty, browser)) for _ in range(CLICKS)]
    for name, times in zip(
        ("usable", "session begun", "empty frame"), zip(*rows, strict=True), strict=True
    ):
        print(f"  {name}: {', '.join(f'{each:.0f}' for each in times)} ms")
    usable, ready, reference = (statistics.median(each) for each in zip(*rows, strict=True))
    limits.check("usable, ms (median)", usable, 300)
    limits.check("session begun, ms (median)", ready, 500)
    limits.check_time("beside an empty frame", usable, reference, MAX_EMPTY_FRAMES)


def empty_frame(host: HostSite, empty: HostSite, browser: Browser) -> float:
    """Return the milliseconds from a click until the script of a frame without content runs.

    Like the chat's, the frame belongs to another site than the page.
    """
    context = browser.new_context()
    page = context.new_page()
    content = host.body, host.headers
    host.body, host.headers = BUTTON, {}
    page.goto(host.origin)
    host.body, host.headers = content
    page.wait_for_load_state("networkidle")
    page.evaluate(FRAME_ON_CLICK, empty.origin.replace("localhost", "127.0.0.1"))
    page.get_by_role("button").hover()
    page.wait_for_timeout(POINTING_MS)
    page.get_by_role("button").click()
    passed: float = page.evaluate("passed")
    context.close()
    return passed


def first_click(host: HostSite, browser: Browser) -> tuple[float, float]:
    """Return the milliseconds until one can write, and until the session has begun."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(host.origin)
    widget = WidgetPage(page)
    widget.launcher.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(TIMES_OF_CLICK)
    widget.launcher.hover()
    page.wait_for_timeout(POINTING_MS)
    widget.launcher.click()
    clicked, ready = page.evaluate("times")
    usable: float = page.frames[1].evaluate(WHEN_USABLE)
    widget.ask(f"Hello {time.time()}")
    context.close()
    return usable - clicked, ready - clicked


if __name__ == "__main__":
    sys.exit(main())
