"""Below /w/ somebody is who their bearer says, and nobody else.

No cookie of a member gets here (widget_access.py); what a view finds out about its visitor
is put where `principal_of` looks, and nothing else puts it there. So the views of stored chats
serve visitors as they are.
"""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from chat.accounts.principals import NOBODY, Principal, counted_address
from chat.database import threads
from chat.errors import BadRequest, NotFound
from chat.web.http import cors, refused_requests
from chat.web.http.typed_requests import VisitorRequest
from chat.widget_sites import visitor_tokens
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.site_errors import ConsentNeeded, TokenEnded
from chat.widget_sites.visits import Visit, open_site, visit_of

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def for_visitor(view: View, *, or_passer_by: bool = False) -> View:
    """`view`, for whoever holds a bearer of the site in the address; pages of its origins may ask.

    With `or_passer_by` such a page may do without a token, too: it is who it was by its address.
    """

    @csrf_exempt  # what a browser sends by itself proves nothing here
    @wraps(view)
    async def visited(request: VisitorRequest, site_key: str, **named: Any) -> HttpResponseBase:
        site = await _listing_site(request, site_key)
        if request.method == "OPTIONS" and cors.is_foreign(request):
            if site is None:
                raise NotFound
            return HttpResponse(status=204)
        if site and or_passer_by and not has_token(request):
            request.visitor = passer_by(request, site)
        else:
            await enter(request, site_key)
        refused_requests.require_usable(request)
        try:
            response = await view(request, **named)
        except BadRequest:
            refused_requests.note_refusal(request)
            raise
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return visited


async def _listing_site(request: VisitorRequest, site_key: str) -> WidgetSite | None:
    """The site, if a page of another origin asks and it lists that one; the page may read on."""
    if not cors.is_foreign(request):
        return None
    site = await threads.readers.run(open_site, site_key)
    if not cors.is_listed(request, site):
        return None
    cors.allow(request)
    return site


async def enter(request: VisitorRequest, site_key: str) -> Visit:
    """Finds out who visits, for this view and those below it."""
    visit = await threads.readers.run(visit_of, site_key, bearer_of(request))
    request.visit = visit
    request.visitor = principal_of_visit(request, visit)
    request.asker_id = visit.visitor.user_id  # for the log
    return visit


def require_consent(visit: Visit) -> None:
    if visit.site.consent and not visit.visitor.agreed_at:
        raise ConsentNeeded


def principal_of_visit(request: HttpRequest, visit: Visit) -> Principal:
    return Principal(
        key=f"visitor:{visit.visitor.pk}",
        user_id=visit.visitor.user_id,
        address=counted_address(request),
        site=visit.site.key,
        visitor=visit.visitor.pk.hex,
        token=visit.token_digest,
    )


def passer_by(request: HttpRequest, site: WidgetSite) -> Principal:
    """Somebody without a token, who is where they come from. Nothing is theirs to come back to."""
    address = counted_address(request)
    return Principal(
        key=f"site:{site.key}:{address}",
        user_id=NOBODY,
        address=address,
        site=site.key,
        visitor=f"{site.key}:{address}",
    )


def has_token(request: HttpRequest) -> bool:
    """Return True if the request has a visitor's token, whether or not it is still good.

    Libraries for OpenAI always send some key: what cannot be a token of ours counts as none.
    """
    try:
        return bearer_of(request).startswith(visitor_tokens.PREFIXES[visitor_tokens.Kind.BEARER])
    except TokenEnded:
        return False


def bearer_of(request: HttpRequest) -> str:
    """What the request proves itself with; `TokenEnded` where it does not even try."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise TokenEnded
    return token.strip()
