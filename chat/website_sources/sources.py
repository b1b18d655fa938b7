"""Add sources to a website, stop and remove them. The caller has checked access to the website."""

import uuid

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.errors import BadRequest, NotFound
from chat.website_sources import audience, crawls, pages
from chat.website_sources.confirmation import is_confirmed
from chat.website_sources.models import MAX_SOURCES, WebsiteSource
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.origins import matches, origin_of


def source_of(site: WidgetSite, source_id: uuid.UUID) -> WebsiteSource:
    """Return a source of this website. Raise `NotFound`."""
    source = WebsiteSource.objects.filter(site=site, pk=source_id).select_related("site").first()
    if source is None:
        raise NotFound
    return source


def require_own_host(site: WidgetSite, address: str) -> None:
    """Raise `BadRequest` if the address isn't on one of the websites that may show the chat."""
    origin = origin_of(address)
    if not matches(origin, site.origins):
        words = _("{origin} isn't an allowed website. Add it in the settings.")
        raise BadRequest(words.format(origin=origin or address))


@transaction.atomic
def add(source: WebsiteSource) -> WebsiteSource:
    """Store a source, and begin to read its pages. Raise `BadRequest` or `CollectionFull`."""
    site = source.site
    require_own_host(site, source.address)
    same = site.sources.filter(address=source.address, kind=source.kind)
    if same.exists():
        raise BadRequest(_("This address has already been added."))
    if site.sources.count() >= MAX_SOURCES:
        words = _("A website can have {most} sources. Remove one first.")
        raise BadRequest(words.format(most=MAX_SOURCES))
    if is_confirmed(source):
        source.confirmed_at = timezone.now()
    source.save()
    if source.is_for_team and source.includes:
        audience.take_over(source)
        audience.move(source)
    crawls.start(source)
    return source


def stop(source: WebsiteSource) -> None:
    """Read nothing more of a source. What was read stays."""
    pages.stop(source)


@transaction.atomic
def set_audience(source: WebsiteSource, *, is_for_team: bool) -> None:
    """Let a source be for the website's team only, or for visitors, too, from now on.

    Raise `CollectionFull`.
    """
    source = _locked(source)
    if source.is_for_team == is_for_team:
        return
    source.is_for_team = is_for_team
    source.save(update_fields=["is_for_team"])
    # What it lists may be of other sources, or repeat what visitors may not get: all is read again.
    source.pages.update(etag="", last_modified="")
    if is_for_team:
        audience.take_over(source)
    audience.move(source)
    if source.is_active:
        crawls.start(source)


@transaction.atomic
def remove(source: WebsiteSource) -> None:
    """Delete a source with the texts of its pages."""
    source = _locked(source)
    site_id, addresses = source.site_id, list(source.pages.values_list("address", flat=True))
    source.delete()
    audience.remove_texts(site_id, addresses)


def _locked(source: WebsiteSource) -> WebsiteSource:
    """Return a source as it is now. Whoever stores the text of one of its pages waits."""
    found = WebsiteSource.objects.select_for_update(no_key=True).filter(pk=source.pk).first()
    if found is None:
        raise NotFound
    return found
