"""Keeping a site shut, for a time or for good: nobody sees its chat, and open streams of it end."""

from datetime import datetime

from django.db.models.functions import Now

from chat.sites.models import Site


def suspend(site: Site, until: datetime | None) -> None:
    Site.objects.filter(pk=site.pk).update(is_suspended=True, suspended_until=until)


def restore(site: Site) -> bool:
    """False if it was not suspended."""
    found = Site.objects.filter(pk=site.pk, is_suspended=True)
    return bool(found.update(is_suspended=False, suspended_until=None))


def let_in_due() -> int:
    """Those whose time is over; how many."""
    found = Site.objects.filter(is_suspended=True, suspended_until__lte=Now())
    return found.update(is_suspended=False, suspended_until=None)
