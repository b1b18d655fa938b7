"""Let Cloudflare's browser build pages that are empty without their scripts, if the site wants it.

It costs the site money or a daily allowance, so it is done for one page at a time of all websites
together, as often as the pages are read.
"""

import asyncio
import logging

from django.conf import settings

from chat.errors import UpstreamError
from chat.lib import metrics
from chat.upstream import factory
from chat.upstream.documents.rendering import rendered_page
from chat.website_sources import robots
from chat.website_sources.models import WebsitePage
from chat.website_sources.requests import host_of
from chat.website_sources.turns import turn_of

log = logging.getLogger(__name__)

PROBLEM = "rendering"  # of a page for which it failed
SECONDS = 25.0
#: The host was asked a moment ago, so its turn comes after its `Crawl-delay`.
PATIENCE_SECONDS = robots.MOST_DELAY_SECONDS + 2
#: The name of a turn, like that of a host.
BROWSER = "browser rendering"
PAUSE_SECONDS = 1.0


def is_possible() -> bool:
    return bool(settings.BROWSER_RENDERING and factory.endpoint().is_workers_ai)


async def rendered(page: WebsitePage, delay_seconds: float, most_bytes: int) -> bytes:
    """Return a page as it is once its scripts have run; empty if that fails.

    It was fetched before, so its host may be asked and is a public one. Raise `HostBusy`.
    """
    host = turn_of(host_of(page.address), delay_seconds, PATIENCE_SECONDS)
    async with turn_of(BROWSER, PAUSE_SECONDS) as browser, host:
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
            browser.has_failed = True
            if isinstance(error, UpstreamError) and error.retry_after_seconds:
                browser.back_off(error.retry_after_seconds)
            html = b""
    metrics.record_rendered_page("rendered" if html else "failed")
    return html
