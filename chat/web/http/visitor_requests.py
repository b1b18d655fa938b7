"""Authenticate visitors below /w/ by bearer token only.

`WidgetIsolationMiddleware` removes member cookies. Views store the visitor on the request, and
`principal_of` reads it there; nothing else sets it. So views for stored chats serve visitors
unchanged.
"""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from chat.accounts.principals import NOBODY, Principal, address_for_limits
from chat.database import threads
from chat.errors import NotFound
from chat.inbox import visitor_details
from chat.web.http import cors, refused_requests
from chat.web.http.typed_requests import VisitorRequest
from chat.widget_sites import visitor_tokens
from chat.widget_sites.errors import ConsentRequired, TokenExpired
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visits import Visit, open_site, visit_of

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def for_visitor(view: View, *, or_anonymous: bool = False, is_file: bool = False) -> View:
    """Wrap a view for the holder of a bearer token of the site; its origins may read the response.

    With `or_anonymous`, such a page needs no token; its caller is identified by network address.
    With `is_file`, the body may be as long as a visitor's file.
    """

    @csrf_exempt  # cookies do not authenticate here
    @wraps(view)
    async def visited(request: VisitorRequest, site_key: str, **named: Any) -> HttpResponseBase:
        site = await _listing_site(request, site_key)
        if request.method == "OPTIONS" and cors.is_foreign(request):
            if site is None:
                raise NotFound
            return HttpResponse(status=204)
        if site and or_anonymous and not has_token(request):
            request.visitor = anonymous_principal(request, site)
        else:
            await authenticate_visitor(request, site_key)
        with refused_requests.limit_visitor(request, is_file=is_file):
            response = await view(request, **named)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return visited


def for_file(view: View) -> View:
    return for_visitor(view, is_file=True)


async def _listing_site(request: VisitorRequest, site_key: str) -> WidgetSite | None:
    """Return the site if it lists the page's other origin, and let the page read the response."""
    if not cors.is_foreign(request):
        return None
    site = await threads.readers.run(open_site, site_key)
    if not cors.is_listed(request, site):
        return None
    cors.allow(request)
    return site


async def authenticate_visitor(request: VisitorRequest, site_key: str) -> Visit:
    """Authenticate the visitor and store them on the request."""
    visit = await threads.readers.run(visit_of, site_key, bearer_token(request))
    request.visit = visit
    request.visitor = principal_of_visit(request, visit)
    request.asker_id = visit.visitor.user_id  # for the request log
    return visit


async def require_ready(visit: Visit) -> None:
    """Raise `ConsentRequired` or `DetailsRequired` if the visitor may not write yet."""
    if visit.site.consent and not visit.visitor.agreed_at:
        raise ConsentRequired
    await threads.readers.run(visitor_details.require, visit.visitor)


def principal_of_visit(request: HttpRequest, visit: Visit) -> Principal:
    return Principal(
        key=f"visitor:{visit.visitor.pk}",
        user_id=visit.visitor.user_id,
        address=address_for_limits(request),
        site=visit.site.key,
        visitor=visit.visitor.pk.hex,
        token=visit.token_digest,
    )


def anonymous_principal(request: HttpRequest, site: WidgetSite) -> Principal:
    """Return an anonymous caller, identified by network address, who owns nothing."""
    address = address_for_limits(request)
    return Principal(
        key=f"site:{site.key}:{address}",
        user_id=NOBODY,
        address=address,
        site=site.key,
        visitor=f"{site.key}:{address}",
    )


def has_token(request: HttpRequest) -> bool:
    """Return True if the request has a visitor token, whether or not it is still valid.

    OpenAI libraries always send some key; keys without our prefix do not count.
    """
    try:
        return bearer_token(request).startswith(visitor_tokens.PREFIXES[visitor_tokens.Kind.BEARER])
    except TokenExpired:
        return False


def bearer_token(request: HttpRequest) -> str:
    """Return the bearer token. Raise `TokenExpired` if there is none."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise TokenExpired
    return token.strip()
