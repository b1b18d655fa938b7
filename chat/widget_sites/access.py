"""Fetch widget sites and their keys for the site's team; all other code uses this module."""

import uuid

from django.conf import settings
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.errors import NotFound
from chat.widget_sites.models import IdentityKey, SiteMember, WidgetSite


def sites_of(user_id: int) -> QuerySet[WidgetSite]:
    """Return the sites that the user may change, sorted by name."""
    return _with_role(user_id, SiteMember.Role.OWNER)


def team_sites_of(user_id: int) -> QuerySet[WidgetSite]:
    """Return the sites whose chats the user may read and answer, sorted by name."""
    return _with_role(user_id, *SiteMember.Role.values)


def site_of(user_id: int, key: str) -> WidgetSite:
    """Return a site that the user may change. Raise `NotFound`."""
    return _one(sites_of(user_id), key)


def team_site_of(user_id: int, key: str) -> WidgetSite:
    """Return a site whose chats the user may read and answer. Raise `NotFound`."""
    return _one(team_sites_of(user_id), key)


def _with_role(user_id: int, *roles: str) -> QuerySet[WidgetSite]:
    held = SiteMember.objects.filter(user=user_id, role__in=roles)
    sites = WidgetSite.objects.filter(Q(owner=user_id) | Q(pk__in=held.values("site")))
    return sites.order_by("name", "id")


def _one(sites: QuerySet[WidgetSite], key: str) -> WidgetSite:
    site = sites.select_related("persona").filter(key=key).first()
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
