"""Confirm that a host belongs to a website here: a page of it names the website's key.

Anybody can write any host into a form. Until a page has the website's tag, or a `meta` element with
its key, little is read of it, as slowly as pages can be checked one by one.
"""

from django.db import transaction
from django.utils import timezone

from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.origins import origin_of


@transaction.atomic
def confirm(source: WebsiteSource) -> None:
    """Note that one of its pages names the website, and let the crawl go on without the limits."""
    if source.confirmed_at:
        return
    origin = origin_of(source.address)
    unconfirmed = WebsiteSource.objects.filter(site=source.site_id, confirmed_at=None)
    for each in unconfirmed:
        if origin_of(each.address) == origin:
            WebsiteSource.objects.filter(pk=each.pk).update(confirmed_at=timezone.now())
            _find_again(each)
    source.confirmed_at = timezone.now()


def is_confirmed(source: WebsiteSource) -> bool:
    """Return whether another source of the website has confirmed this one's host."""
    origin = origin_of(source.address)
    confirmed = WebsiteSource.objects.filter(site=source.site_id).exclude(confirmed_at=None)
    return any(origin_of(each) == origin for each in confirmed.values_list("address", flat=True))


def _find_again(source: WebsiteSource) -> None:
    """Let what lists pages be read once more, because the rest was left out."""
    lists = WebsitePage.objects.filter(source=source)
    if not source.follows_links:
        lists = lists.filter(is_sitemap=True)
    lists.update(etag="", last_modified="", due_at=timezone.now())
