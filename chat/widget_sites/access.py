"""Fetch widget sites and their keys for the site's owner; all other code uses this module."""

import uuid

from django.conf import settings
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.widget_sites.models import IdentityKey, WidgetSite


def sites_of(user_id: int) -> QuerySet[WidgetSite]:
    """Return the user's own sites, sorted by name."""
    return WidgetSite.objects.filter(owner=user_id).order_by("name", "id")


def site_of(user_id: int, key: str) -> WidgetSite:
    """Return the user's own site. Raise `NotFound`."""
    site = sites_of(user_id).select_related("persona").filter(key=key).first()
    if site is None:
        raise NotFound
    return site


def identity_key_of(site: WidgetSite, key_id: uuid.UUID) -> IdentityKey:
    """Return a valid key of this site. Raise `NotFound`."""
    key = site.identity_keys.filter(pk=key_id, revoked_at=None).first()
    if key is None:
        raise NotFound
    return key


def may_make_sites(user: User) -> bool:
    """Return True if the site's settings allow this user to create widget sites."""
    return settings.WIDGET_SITES == "members" or (
        settings.WIDGET_SITES == "staff" and user.is_staff
    )
