"""Who asks: a page or a server of a website, as a visitor of that site."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from chat.accounts.principals import NOBODY, Principal
from chat.database import threads
from chat.errors import NotFound
from chat.web.http import challenge, cors
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.visitor_requests import enter, has_token, passer_by, principal_of_visit
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visits import open_site

#: Headers by which browsers and link previews say that nobody has asked for this yet.
PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
PREFETCH_WORDS = ("prefetch", "prerender", "preview")


@dataclass(frozen=True, slots=True)
class Caller:
    site: WidgetSite
    principal: Principal

    @property
    def is_visitor(self) -> bool:
        """Whether a token says who this is, not only the address that they come from."""
        return self.principal.user_id != NOBODY

    @property
    def name_upstream(self) -> str:
        """Addresses of people are no business of the model's service."""
        return self.principal.key if self.is_visitor else f"site:{self.principal.site}"


async def site_for(request: VisitorRequest, site_key: str) -> WidgetSite:
    """The site, for pages of its origins and ours; for all others there is nothing: `NotFound`.

    From here on the page may read the answer, refusals included. That keeps other websites out, not
    programs, which may claim any origin: those the limits of address and site keep within bounds.
    """
    site = await threads.readers.run(open_site, site_key)
    if not cors.is_listed(request, site):
        raise NotFound
    if "Origin" in request.headers:
        cors.allow(request)
    return site


async def caller_of(request: VisitorRequest, site: WidgetSite) -> Caller:
    """By the visitor's token, if there is one; else somebody who is where they come from."""
    if has_token(request):
        visit = await enter(request, site.key)
        return Caller(site, principal_of_visit(request, visit))
    await challenge.require_person(request.headers.get(challenge.HEADER, ""))
    return Caller(site, passer_by(request, site))


def is_prefetch(request: HttpRequest) -> bool:
    """Whether a browser fetches this in advance, or a program for a preview of a link."""
    purposes = " ".join(request.headers.get(name, "") for name in PREFETCH_HEADERS).lower()
    return any(word in purposes for word in PREFETCH_WORDS)


def nothing() -> HttpResponse:
    """204: to a preflight, to a prefetch, and to an EventSource that is to stop."""
    return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
