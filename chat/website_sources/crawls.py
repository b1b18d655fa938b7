"""Read the pages of websites in the background, as deliveries of the outbox.

A delivery reads pages of one website for some seconds and adds the next one. Which page is next is
in the pages themselves, so a killed process repeats one page. More than one delivery of a website
does no harm: a page is taken by one, and a host is asked by one at a time.
"""

import asyncio
import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat.database import threads
from chat.database.housekeeping import describe
from chat.errors import ChatError
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryFailed
from chat.outbox.models import Delivery
from chat.website_sources import pages, reading
from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.website_sources.rendering import BrowserBusy
from chat.website_sources.turns import HostBusy
from chat.widget_sites.visits import open_sites

log = logging.getLogger(__name__)

#: A process looks for other websites only between steps.
STEP_SECONDS = 20.0
LEASE = timedelta(minutes=3)
#: Websites that a process reads at the same time.
AT_ONCE = 4
DAY = timedelta(days=1)
#: A page that a sitemap says is unchanged is asked for all the same after this.
TRUSTED = timedelta(days=7)
FORGOTTEN_AFTER = timedelta(minutes=15)


async def _crawl(delivery: Delivery) -> None:
    site_id = int(delivery.content["site"])
    clock = asyncio.get_running_loop().time
    ends = clock() + STEP_SECONDS
    while clock() < ends and (page := await threads.writer.run(pages.take_next, site_id)):
        try:
            await reading.read(page)
        except HostBusy as busy:
            await threads.writer.run(pages.postpone, page, busy.seconds)
        except BrowserBusy as busy:
            await threads.writer.run(pages.await_browser, page, busy.seconds)
        except ChatError as error:
            await threads.writer.run(pages.put_back, page)
            raise DeliveryFailed(error.code) from error
        except Exception as error:
            # Whatever is odd about one page, the others are read.
            log.warning("%s could not be read: %s", page, describe(error))
            await threads.writer.run(pages.record_failure, page, 0, "internal")
    await threads.writer.run(schedule_next, site_id)


CRAWL = DeliveryKind("website_crawl", _crawl, LEASE, AT_ONCE)


@transaction.atomic
def schedule_next(site_id: int) -> None:
    """Add the next step of a website's crawl, if any of its pages is due some time."""
    due_at = pages.next_due_at(site_id)
    if due_at is None:
        return
    due_at = max(due_at, timezone.now())
    if not _waiting(site_id).filter(due_at__lte=due_at).exists():
        CRAWL.add(group=site_id, site=site_id, due_at=due_at)


@transaction.atomic
def wake(site_id: int) -> None:
    """Let a website's pages be read that are due now."""
    if not _waiting(site_id).update(due_at=timezone.now()):
        CRAWL.add(group=site_id, site=site_id)


@transaction.atomic
def start(source: WebsiteSource) -> None:
    """Read a source again: what lists its pages, and the pages that may have changed."""
    now = timezone.now()
    WebsiteSource.objects.filter(pk=source.pk).update(
        is_active=True, crawled_at=now, next_crawl_at=now + DAY
    )
    if source.kind == source.Kind.PAGE or source.follows_links:
        pages.add_found(source, pages.candidates(source, [source.address]))
    pages.add_sitemaps(source, source.sitemaps)
    again = source.pages.filter(due_at=None)
    known = (WebsitePage.State.READ, WebsitePage.State.UNCHANGED)
    trusted = again.filter(state__in=known, fetched_at__gt=now - TRUSTED).exclude(lastmod="")
    again.exclude(pk__in=trusted.values("pk")).update(due_at=now, failures=0)
    source.pages.filter(due_at__gt=now).update(due_at=now, failures=0)
    wake(source.site_id)


def start_due() -> None:
    """Begin the daily crawls, and go on with those that were given up. Run every minute."""
    now = timezone.now()
    due = WebsiteSource.objects.filter(
        is_active=True, next_crawl_at__lte=now, site__in=open_sites()
    )
    for source in due.select_related("site")[:100]:
        same = WebsiteSource.objects.filter(pk=source.pk, next_crawl_at=source.next_crawl_at)
        if same.update(next_crawl_at=now + DAY):  # no other process was faster
            start(source)
    forgotten = WebsitePage.objects.filter(
        due_at__lt=now - FORGOTTEN_AFTER, source__is_active=True, site__in=open_sites()
    )
    for site_id in forgotten.order_by("site").values_list("site", flat=True).distinct()[:100]:
        schedule_next(site_id)


def _waiting(site_id: int) -> QuerySet[Delivery]:
    rows = Delivery.objects.filter(kind=CRAWL.name, group=str(site_id), claimed_until=None)
    return rows.exclude(due_at=None)
