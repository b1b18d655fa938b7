"""Resolve site keys and visitor tokens; all visitor requests use this module."""

from dataclasses import dataclass

from django.db.models import QuerySet

from chat.errors import NotFound
from chat.widget_sites import visitor_tokens
from chat.widget_sites.errors import TokenExpired
from chat.widget_sites.models import Visitor, WidgetSite


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor, their site and the token they presented."""

    site: WidgetSite
    visitor: Visitor
    token_digest: str


def open_sites() -> QuerySet[WidgetSite]:
    """Return the sites that visitors may use: not suspended, nor is their owner."""
    return WidgetSite.objects.filter(is_suspended=False, owner__is_active=True)


def open_site(key: str) -> WidgetSite:
    """Return the site with this key. Raise `NotFound`, also for suspended sites."""
    site = open_sites().filter(key=key).first()
    if site is None:
        raise NotFound
    return site


def accepts_files(key: str) -> bool:
    """Return whether visitors of this site may send images and files."""
    return open_sites().filter(key=key, accepts_files=True).exists()


def suggests_questions(visitor_id: int) -> bool:
    """Return whether the owner of this visitor's site has questions suggested to visitors."""
    return open_sites().filter(visitors__user=visitor_id, suggests_questions=True).exists()


def visit_of(key: str, bearer: str) -> Visit:
    """Return the holder of `bearer`. Raise `TokenExpired` if it is not valid for this site."""
    site = open_site(key)
    token = visitor_tokens.find(site, visitor_tokens.Kind.BEARER, bearer)
    if token is None:
        raise TokenExpired
    return Visit(site, token.visitor, token.digest)


def still_open_sites(keys: set[str]) -> set[str]:
    """Return those of `keys` whose sites are open."""
    return set(open_sites().filter(key__in=keys).values_list("key", flat=True))
