"""Find the route of a request once; overload, slashes and the handler each need it."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve

MAX_KNOWN = 1000

#: Routes without parameters, by the root of the URLs and the path.
_known: dict[tuple[str, str], ResolverMatch] = {}


def route_match(request: HttpRequest) -> ResolverMatch | None:
    """Return the route of `request` and set its `resolver_match`; None if it has none."""
    if request.resolver_match is None:
        place = settings.ROOT_URLCONF, request.path_info
        request.resolver_match = _known.get(place) or _resolved(place)
    return request.resolver_match


def _resolved(place: tuple[str, str]) -> ResolverMatch | None:
    try:
        match = resolve(place[1])
    except Resolver404:
        return None
    if not (match.args or match.kwargs) and len(_known) < MAX_KNOWN:
        _known[place] = match
    return match
