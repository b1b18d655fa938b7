"""The only door to a site and its keys, for the person whose site it is."""

import uuid

from django.conf import settings
from django.db.models import QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.widget_sites.models import IdentityKey, WidgetSite


def sites_of(user_id: int) -> QuerySet[WidgetSite]:
    """The user's own, by name."""
    return WidgetSite.objects.filter(owner=user_id).order_by("name", "id")


def site_of(user_id: int, key: str) -> WidgetSite:
    """The user's site; a stranger's, or none, is `NotFound`."""
    site = sites_of(user_id).select_related("persona").filter(key=key).first()
    if site is None:
        raise NotFound
    return site


def identity_key_of(site: WidgetSite, key_id: uuid.UUID) -> IdentityKey:
    """One of this site's keys that still counts."""
    key = site.identity_keys.filter(pk=key_id, revoked_at=None).first()
    if key is None:
        raise NotFound
    return key


def may_make_sites(user: User) -> bool:
    """Whether such as this user make sites here."""
    return settings.WIDGET_SITES == "members" or (
        settings.WIDGET_SITES == "staff" and user.is_staff
    )
