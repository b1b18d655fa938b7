"""The door for visitors: the only way from a site's key, or a token, to what they stand for."""

from dataclasses import dataclass

from chat.errors import NotFound
from chat.widget_sites import visitor_tokens
from chat.widget_sites.models import Visitor, WidgetSite
from chat.widget_sites.site_errors import TokenEnded


@dataclass(frozen=True, slots=True)
class Visit:
    """Who visits which site, and by which token."""

    site: WidgetSite
    visitor: Visitor
    token_digest: str


def open_site(key: str) -> WidgetSite:
    """The site of this key; one that is suspended, or none, is `NotFound`."""
    site = WidgetSite.objects.filter(key=key, is_suspended=False, owner__is_active=True).first()
    if site is None:
        raise NotFound
    return site


def visit_of(key: str, bearer: str) -> Visit:
    """Who holds `bearer`. `TokenEnded` where it is none of this site, whatever else it may be."""
    site = open_site(key)
    token = visitor_tokens.find(site, visitor_tokens.Kind.BEARER, bearer)
    if token is None:
        raise TokenEnded
    return Visit(site, token.visitor, token.digest)


def still_open(keys: set[str]) -> set[str]:
    """Those of `keys` whose sites are still there."""
    found = WidgetSite.objects.filter(key__in=keys, is_suspended=False, owner__is_active=True)
    return set(found.values_list("key", flat=True))
