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
#: As a module is requested by a page of the same origin.
FROM_THE_SITE = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}
SETTLED_MS = 1500
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
        after_the_click(host, browser, limits)
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


def after_the_click(host: HostSite, browser: Browser, limits: Limits) -> None:
    print(f"\nFrom the click until one can write, with nothing in the cache, {TIMES} times")
    times = [first_click(host, browser) for _ in range(TIMES)]
    print(f"  {', '.join(f'{each:.0f}' for each in times)} ms")
    limits.check("usable, ms (median)", statistics.median(times), 500)


def first_click(host: HostSite, browser: Browser) -> float:
    context = browser.new_context()
    page = context.new_page()
    page.goto(host.origin)
    widget = WidgetPage(page)
    widget.launcher.wait_for()
    page.wait_for_load_state("networkidle")
    opened = page.evaluate_handle(
        "({ ready: new Promise((ready) => Runnel.on('ready', () => ready(performance.now()))) })"
    )
    begun = page.evaluate("performance.now()")
    widget.launcher.click()
    ready: float = opened.evaluate("opened => opened.ready")
    widget.ask(f"Hello {time.time()}")
    context.close()
    return ready - begun


if __name__ == "__main__":
    sys.exit(main())
