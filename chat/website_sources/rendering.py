"""Let Cloudflare's browser build pages that are empty without their scripts, if the site wants it.

It costs the site money or a daily allowance, so it is done for one page at a time of all websites
together, as often as the pages are read.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from django.conf import settings
from django.utils import timezone

from chat.database import threads
from chat.errors import (
    AllocationExhausted,
    CreditExhausted,
    UpstreamBusy,
    UpstreamError,
    UpstreamUnreachable,
)
from chat.lib import metrics
from chat.upstream import factory
from chat.upstream.documents.rendering import rendered_page
from chat.website_sources import robots
from chat.website_sources.models import CrawlTurn, WebsitePage
from chat.website_sources.pages import BROWSER_PROBLEM
from chat.website_sources.requests import host_of
from chat.website_sources.turns import PATIENCE_SECONDS, HostBusy, HostTurn, turn_of

log = logging.getLogger(__name__)

SECONDS = 25.0
#: The host was asked a moment ago, so its turn comes after its `Crawl-delay`.
HOST_PATIENCE_SECONDS = robots.MOST_DELAY_SECONDS + 2
#: The name of a turn, like that of a host.
BROWSER = "browser rendering"
PAUSE_SECONDS = 1.0
#: The next page would fail, too. Other errors are of the page, and nobody else waits for it.
OF_PROVIDER = (AllocationExhausted, CreditExhausted, UpstreamBusy, UpstreamUnreachable)


class BrowserBusy(Exception):
    """No page may be built for so many seconds. Pages that need no browser go on."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def is_possible() -> bool:
    return bool(settings.BROWSER_RENDERING and factory.endpoint().is_workers_ai)


async def require_turn(page: WebsitePage) -> None:
    """Raise `BrowserBusy` before a page is fetched that had to wait for the browser, if it must.

    Its host isn't asked for nothing.
    """
    if page.problem != BROWSER_PROBLEM or not is_possible():
        return
    turn = await threads.readers.run(CrawlTurn.objects.filter(name=BROWSER).first)
    wait = (turn.free_at - timezone.now()).total_seconds() if turn else 0.0
    if wait > PATIENCE_SECONDS:
        raise BrowserBusy(wait)


async def rendered(page: WebsitePage, delay_seconds: float, most_bytes: int) -> bytes:
    """Return a page as it is once its scripts have run; empty if that fails.

    It was fetched before, so its host may be asked and is a public one. Raise `HostBusy` or
    `BrowserBusy`.
    """
    # Nobody else waits for the browser while this page waits for its host.
    host = turn_of(host_of(page.address), delay_seconds, HOST_PATIENCE_SECONDS)
    async with host, _browser_turn() as browser:
        try:
            async with asyncio.timeout(SECONDS):
                html = await rendered_page(
                    factory.client_of(""),
                    page.address,
                    robots.user_agent(),
                    most_bytes,
                    f"user:{page.site.owner_id}",
                )
        except (UpstreamError, TimeoutError) as error:
            log.warning("%s was not rendered: %s", page, error or "no answer in time")
            if isinstance(error, OF_PROVIDER) or type(error) is UpstreamError:  # that: 5xx
                browser.has_failed = True
                if error.retry_after_seconds:
                    browser.back_off(error.retry_after_seconds)
            html = b""
    metrics.record_rendered_page("rendered" if html else "failed")
    return html


@asynccontextmanager
async def _browser_turn() -> AsyncIterator[HostTurn]:
    try:
        async with turn_of(BROWSER, PAUSE_SECONDS) as turn:
            yield turn
    except HostBusy as busy:
        raise BrowserBusy(busy.seconds) from None
