"""Render web pages, without a browser: what is in a page's templates is shown, as scripts would.

No script runs. `fetch` returns the page at an address; whoever makes the emulator says what may be
fetched, and without it there is no browser.
"""

import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from chat.emulator.common.faults import Refusal
from chat.emulator.requests.inputs import read_document
from chat.emulator.requests.problems import bad, mismatch
from chat.emulator.wire import Answer, Call, json_answer

Fetch = Callable[[str], Awaitable[str]]
_TEMPLATE = re.compile(r"<(/?)template\b[^<>]{0,2000}>", re.IGNORECASE)


async def answer(method: str, call: Call, fetch: Fetch | None) -> Answer:
    """Return the HTML of a page; raise `Refusal`."""
    if fetch is None:
        raise Refusal("7000")
    if method != "POST":
        raise Refusal("7001", method=method)
    document = read_document(call.body)
    html, url = document.get("html"), document.get("url")
    for name, value in (("html", html), ("url", url)):
        if value is not None and not isinstance(value, str):
            mismatch(f"/{name}", value, "string")
    if (html is None) == (url is None):
        bad("oneOf at '/' not met: one of 'url' and 'html' is required")
    if html is None:
        html = await _fetched(str(url), fetch)
    return json_answer({"success": True, "result": _rendered(html)})


async def _fetched(url: str, fetch: Fetch) -> str:
    if urlsplit(url).scheme not in {"http", "https"}:
        bad("'/url' is no web address")
    try:
        return await fetch(url)
    except ValueError as error:
        bad(f"the page can't be loaded: {error}")


def _rendered(html: str) -> str:
    return _TEMPLATE.sub(r"<\1div>", html)
