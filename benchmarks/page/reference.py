"""A plain page, measured in the same run: what times are compared with, whatever the machine.

It comes, is painted, has the focus and takes text, as any page does, with nothing of ours in it,
and never changes; so a ratio to it says something about our page alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route

from benchmarks.page.browser import traced

ADDRESS = "/benchmark/reference"
HTML = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Reference</title>
<style>body { font: 1rem sans-serif } textarea { field-sizing: content; inline-size: 40rem }</style>
<h1>What can be read counts as painted</h1>
<textarea id="message" aria-label="Message" enterkeyhint="send"></textarea>
<script>
  document.querySelector("textarea").focus();
</script>
"""


@contextmanager
def reference_page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    page.route(f"**{ADDRESS}", _serve)
    yield page
    page.close()


def longest_tasks(browser: Browser, page: Page, box: Locator, keys: list[str]) -> list[float]:
    """For each key, the longest task of the half second after it is pressed, in milliseconds."""
    found = []
    for key in keys:
        with traced(browser, page) as tasks:
            box.press(key)
            page.wait_for_timeout(500)
        found.append(max(tasks))
    return found


def _serve(route: Route) -> None:
    route.fulfill(body=HTML, content_type="text/html")
