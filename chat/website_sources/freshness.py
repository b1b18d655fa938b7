"""Learn from visitors' browsers that a page has changed. They name an address and a hash only.

What is read is always what the server fetches by itself. A hash that differs from the one that was
reported when the page was last fetched makes it the next to be read, unless reports of it
are ignored for a time (report_backoff.py).
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from chat.website_sources.addresses import digest_of, normalised
from chat.website_sources.crawls import wake
from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.models import WidgetSite


def watches(site: WidgetSite) -> bool:
    """Return whether visitors' browsers are to report the pages of a website."""
    return site.watches_pages and WebsiteSource.objects.filter(site=site, is_active=True).exists()


@transaction.atomic
def note(site: WidgetSite, address: str, seen_hash: str) -> bool:
    """Note what a browser saw of a page; return whether it is read again now."""
    if not watches(site):
        return False
    now = timezone.now()
    pages = WebsitePage.objects.filter(
        site=site, digest=digest_of(normalised(address)), source__is_active=True, is_sitemap=False
    )
    wanted = pages.exclude(fetched_at=None).filter(
        Q(ignored_until=None) | Q(ignored_until__lte=now)
    )
    is_new = wanted.exclude(seen_hash=seen_hash).update(
        reported_hash=seen_hash, due_at=now, is_urgent=True
    )
    if is_new:
        wake(site.pk)
    return bool(is_new)
