"""Start and end visitors' sessions, and identify visitors of the website."""

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from chat.accounts.principals import address_for_limits
from chat.database import threads
from chat.generations import visitor_merge
from chat.web.front_ends.callers import no_content, site_for
from chat.web.http import cors, human_challenge, refused_requests
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import is_own_page, require_json
from chat.web.http.shared_limits import require_rate
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.visitor_requests import bearer_token
from chat.web.widget.presenters import shown_site
from chat.web.widget.visitor_cookie import cookie_of, forget, remember
from chat.widget_sites import visitor_sessions, visitor_tokens
from chat.widget_sites.errors import TokenExpired
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visitor_sessions import Session
from chat.widget_sites.visits import Visit, open_site

#: Limits per network address.
NEW_VISITORS_PER_MINUTE = 60
RETURNS_PER_MINUTE = 60
IDENTITIES_PER_MINUTE = 60


class _SessionRequest(msgspec.Struct):
    challenge: str = ""


class _Identity(msgspec.Struct):
    jwt: str


# The only credential that browsers send by themselves is the cookie, and only our frame uses it.
@csrf_exempt
@require_http_methods(["POST", "OPTIONS"])
async def session(request: VisitorRequest, site_key: str) -> HttpResponse:
    """Return a bearer token, for a returning or a new visitor.

    Pages of the site's origins get one too. Only our frame gets the cookie, so no script of the
    website can read what a visitor wrote in the frame.
    """
    if request.method == "OPTIONS" or not is_own_page(request):
        await site_for(request, site_key)
    if request.method == "OPTIONS":
        return no_content()
    site, visitor_session = await threads.writer.run(_take_up, request, site_key)
    if visitor_session is None:
        with refused_requests.count_refusals(address_for_limits(request)):
            session_request = _session_request(request)
        await human_challenge.require_human(session_request.challenge)
        visitor_session = await threads.writer.run(_begin, request, site)
    return await _answer(request, site, visitor_session)


@require_POST
async def identity(request: VisitorRequest) -> HttpResponse:
    """Return a token for the user whom the website's server named; the current token ends."""
    require_json(request)
    visit, body = request.visit, read_small_json(request.body, _Identity)
    visitor_session = await threads.writer.run(_identify, request, visit, body.jwt)
    return await _answer(request, visit.site, visitor_session)


@require_POST
async def shutdown(request: VisitorRequest) -> HttpResponse:
    """End this browser's session. Identified visitors find their chats again later."""
    visit = request.visit
    await threads.writer.run(visitor_sessions.end, visit.token_digest)
    response = HttpResponse(status=204)
    if not cors.is_foreign(request):
        forget(response, visit.site.key)
    return response


async def _answer(request: HttpRequest, site: WidgetSite, visitor_session: Session) -> JsonResponse:
    shown = await threads.readers.run(shown_site, site, visitor_session.visitor)
    lifetime = visitor_tokens.LIFETIMES[visitor_tokens.Kind.BEARER]
    content = {
        "token": visitor_session.tokens.bearer,
        "expires_in_seconds": int(lifetime.total_seconds()),
        "known": bool(visitor_session.visitor.subject),
        "site": shown,
    }
    is_frame = not cors.is_foreign(request)
    if is_frame:
        content["draft_key"] = visitor_session.draft_key
    response = JsonResponse(content)
    if is_frame:
        remember(response, site.key, visitor_session.tokens.cookie)
    response["Cache-Control"] = "no-store"
    return response


def _session_request(request: HttpRequest) -> _SessionRequest:
    if request.content_type != "application/json" or not request.body:
        return _SessionRequest()
    return read_small_json(request.body, _SessionRequest)


def _take_up(request: HttpRequest, site_key: str) -> tuple[WidgetSite, Session | None]:
    site = open_site(site_key)
    cookie = "" if cors.is_foreign(request) else cookie_of(request, site_key)
    bearer = _bearer(request)
    if cookie or bearer:
        require_rate("returns", address_for_limits(request), RETURNS_PER_MINUTE)
    return site, visitor_sessions.resume(site, cookie, bearer)


def _begin(request: HttpRequest, site: WidgetSite) -> Session:
    require_rate("visitors", address_for_limits(request), NEW_VISITORS_PER_MINUTE)
    return visitor_sessions.create(site)


def _identify(request: HttpRequest, visit: Visit, jwt: str) -> Session:
    require_rate("identities", address_for_limits(request), IDENTITIES_PER_MINUTE)
    return visitor_merge.identify_and_merge(visit, jwt)


def _bearer(request: HttpRequest) -> str:
    try:
        return bearer_token(request)
    except TokenExpired:
        return ""
