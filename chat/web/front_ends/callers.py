"""Identify callers: pages or servers of a website, which act as visitors of its widget site."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from chat.accounts.principals import NOBODY, Principal
from chat.database import threads
from chat.errors import NotFound
from chat.web.http import cors, human_challenge
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.visitor_requests import (
    anonymous_principal,
    authenticate_visitor,
    has_token,
    principal_of_visit,
)
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visits import open_site

#: Headers by which browsers and link previews mark requests that no user has made yet.
PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
PREFETCH_WORDS = ("prefetch", "prerender", "preview")


@dataclass(frozen=True, slots=True)
class Caller:
    site: WidgetSite
    principal: Principal

    @property
    def is_visitor(self) -> bool:
        """Whether a token identifies the caller, rather than only their network address."""
        return self.principal.user_id != NOBODY

    @property
    def name_upstream(self) -> str:
        """Return the name sent to the model provider, which never contains a network address."""
        return self.principal.key if self.is_visitor else f"site:{self.principal.site}"


async def site_for(request: VisitorRequest, site_key: str) -> WidgetSite:
    """Return the open site if the request may come from its pages or ours, else raise `NotFound`.

    After this, the page may read the response, refusals included. This keeps other websites out but
    not programs, which can forge any origin; address and site limits bound those.
    """
    site = await threads.readers.run(open_site, site_key)
    if not cors.is_listed(request, site):
        raise NotFound
    if "Origin" in request.headers:
        cors.allow(request)
    return site


async def caller_of(request: VisitorRequest, site: WidgetSite) -> Caller:
    """Return the caller: the visitor of the token, or an anonymous caller by network address."""
    if has_token(request):
        visit = await authenticate_visitor(request, site.key)
        return Caller(site, principal_of_visit(request, visit))
    await human_challenge.require_human(request.headers.get(human_challenge.HEADER, ""))
    return Caller(site, anonymous_principal(request, site))


def is_prefetch(request: HttpRequest) -> bool:
    """Return True if the request is a prefetch by a browser or a link preview."""
    purposes = " ".join(request.headers.get(name, "") for name in PREFETCH_HEADERS).lower()
    return any(word in purposes for word in PREFETCH_WORDS)


def no_content() -> HttpResponse:
    """Return 204, for preflights, prefetches and an EventSource that must stop reconnecting."""
    return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
