"""Keeping a website's chat shut, for a time or for good; and back."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from chat.errors import NotFound
from chat.relay.deleting import said_on, stop
from chat.relay.models import Generation
from chat.review import privacy
from chat.review.acting import require_below
from chat.review.acting.people import until_in_words
from chat.review.audit import Look
from chat.review.deeds import Deed, record
from chat.sites import suspending
from chat.sites.models import Site

Kind = Deed.Kind


def site_of(look: Look, key: str) -> Site:
    """A site that they may review, or of somebody whom they may; else `NotFound`."""
    privacy.require_open()
    theirs = look.reviewer.within("owner") | Q(pk__in=look.reviewer.sites)
    found = Site.objects.filter(theirs if look.reviewer.groups is not None else Q(), key=key)
    site = found.select_related("owner").first()
    if site is None:
        raise NotFound
    return site


@transaction.atomic
def suspend(look: Look, site: Site, until: datetime | None) -> None:
    require_below(look, site.owner)
    suspending.suspend(site, until)
    stop(Generation.objects.filter(said_on(site)))
    detail = until_in_words(until)
    record(look, Kind.SUSPENDED, person=site.owner_id, site=site.pk, detail=detail)


@transaction.atomic
def restore(look: Look, site: Site) -> None:
    require_below(look, site.owner)
    if suspending.restore(site):
        record(look, Kind.RESTORED, person=site.owner_id, site=site.pk)
