"""Run the real site in a real browser, and trace its main thread."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Route, sync_playwright

from tests.browser.chromium import FLAGS, ROOT, find_chromium
from tests.browser.server import LiveSite, live_site

EMAIL, PASSWORD = "alice@example.org", "correct horse battery"
SCRIPT = Path(__file__).with_name("measure.js")
PURIFY = ROOT / "node_modules/dompurify/dist/purify.es.mjs"
TASKS = ["disabled-by-default-devtools.timeline", "toplevel"]


@contextmanager
def signed_in(**settings: str) -> Iterator[tuple[LiveSite, Browser, BrowserContext]]:
    found = find_chromium()
    with (
        tempfile.TemporaryDirectory() as folder,
        live_site(Path(folder), **settings) as site,
        sync_playwright() as playwright,
    ):
        site.make_member(EMAIL, PASSWORD)
        browser = playwright.chromium.launch(
            executable_path=found.path, args=list(FLAGS), env={**found.environment}
        )
        # The baseline writes HTML, which the site's policy refuses.
        context = browser.new_context(
            base_url=site.url, bypass_csp=True, viewport={"width": 1280, "height": 800}
        )
        page = context.new_page()
        page.goto("/accounts/login/")
        page.get_by_label("Email").fill(EMAIL)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/chat/")
        page.close()
        yield site, browser, context
        browser.close()


class Bench:
    """A chat page with the measuring script."""

    def __init__(self, browser: Browser, context: BrowserContext) -> None:
        self.browser = browser
        self.page = context.new_page()
        self.page.set_default_timeout(0)
        self.page.route("**/benchmark/*", _purify)
        self.page.goto("/chat/temporary/")
        self.page.add_script_tag(content=SCRIPT.read_text(), type="module")
        self.page.wait_for_function("window.measure")
        self.session = self.page.context.new_cdp_session(self.page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def cpu(self, expression: str, *arguments: Any) -> tuple[float, Any]:
        """Return the main thread's time in milliseconds, and the result."""
        before = _task_duration(self.session)
        result = self.page.evaluate(f"args => measure.{expression}(...args)", list(arguments))
        return (_task_duration(self.session) - before) * 1000, result

    def tasks(self, expression: str, *arguments: Any) -> list[float]:
        """Return the duration of each task in milliseconds of main thread time."""
        with traced(self.browser, self.page) as tasks:
            self.page.evaluate(f"args => measure.{expression}(...args)", list(arguments))
        return tasks


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[list[float]]:
    """Collect the durations of the main thread's tasks, in milliseconds.

    Wall time includes other work of the machine, and thread time is coarse on virtual machines: a
    task took no longer than the smaller of the two.
    """
    tasks: list[float] = []
    browser.start_tracing(page=page, categories=TASKS)
    try:
        yield tasks
    finally:
        events = json.loads(browser.stop_tracing())["traceEvents"]
        mains = {
            (event["pid"], event["tid"])
            for event in events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        tasks += [
            min(event.get("tdur", 0), event.get("dur", 0)) / 1000
            for event in events
            if event["name"] in {"RunTask", "ThreadControllerImpl::RunTask"}
            and (event["pid"], event["tid"]) in mains
        ]


def _task_duration(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def _purify(route: Route) -> None:
    route.fulfill(body=PURIFY.read_text(), content_type="text/javascript")
