"""Confirm that a host belongs to a website here: a page of it names the website's key.

Anybody can write any host into a form. Until a page has the website's tag, or a `meta` element with
its key, little is read of it, as slowly as pages can be checked one by one.
"""

from django.core import signing
from django.db import transaction
from django.utils import timezone

from chat.website_sources.models import WebsitePage, WebsiteSource
from chat.widget_sites.origins import origin_of

_SALT = "chat.website_sources.confirmation"
#: Between a preview and the button that adds what it showed.
SIGNED_SECONDS = 3600


def signed(source: WebsiteSource) -> str:
    """Return what a preview that has seen the website's key hands on to the form that follows."""
    return signing.dumps(_signed_content(source), salt=_SALT)


def is_signed(source: WebsiteSource, value: str) -> bool:
    """Return whether a preview of this host, for this website, has seen the key."""
    try:
        content = signing.loads(value, salt=_SALT, max_age=SIGNED_SECONDS)
    except signing.BadSignature:
        return False
    return bool(content == _signed_content(source))


def _signed_content(source: WebsiteSource) -> list[str]:
    return [source.site.key, origin_of(source.address)]


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
