"""Fetch the page to check, and our own frame."""

import asyncio

import httpx
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.fetching.fetch import Fetched, get, headers_of, refusals
from chat.lib.trust_store import trust_store

TOTAL_SECONDS = 10.0
OWN_SECONDS = 3.0
MAX_REDIRECTS = 5
MAX_BYTES = 1024 * 1024  # a tag beyond this is not found; few pages are longer
HTML_KINDS = frozenset({"text/html", "application/xhtml+xml"})
HEADERS = {
    "User-Agent": "Runnel (its owner checks this website)",
    "Accept": "text/html",
    "Accept-Encoding": "identity",
}


async def fetch(url: str) -> Fetched:
    """Fetch a page and follow redirects. Raise `BadRequest` with the reason if that fails."""
    async with refusals(TOTAL_SECONDS):
        for _each in range(MAX_REDIRECTS + 1):
            page = await get(httpx.URL(url), HEADERS, TOTAL_SECONDS, MAX_BYTES)
            if not page.redirect:
                return _require_page(page)
            url = page.redirect
        raise BadRequest(_("Too many redirects."))


async def fetch_own(url: str) -> Fetched | None:
    """Return our own page at `url` as browsers get it through any proxy; None if that fails.

    The operator has set this address, so it may be private.
    """
    trust = await asyncio.to_thread(trust_store)
    try:
        async with (
            asyncio.timeout(OWN_SECONDS),
            httpx.AsyncClient(verify=trust, trust_env=False) as client,
            client.stream("GET", url, headers=HEADERS) as response,
        ):
            return (
                Fetched(url, response.status_code, headers_of(response))
                if response.is_success
                else None
            )
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        return None


def _require_page(page: Fetched) -> Fetched:
    if page.status >= 400:
        words = _("{url} returned error {status}.")
        raise BadRequest(words.format(url=page.url, status=page.status))
    if page.kind not in HTML_KINDS:
        raise BadRequest(_("{url} isn't an HTML page.").format(url=page.url))
    return page
