"""The frame that other websites show, who looks at it, and what they said there before."""

import uuid

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import counted_address, principal_of
from chat.errors import TokenEnded
from chat.pages import throttle
from chat.pages.origin import require_own_page
from chat.pages.shown_visit import shown_conversation, shown_list, shown_site
from chat.pages.visiting import bearer_of, visit_behind
from chat.pages.visitor_cookie import cookie_of, remember
from chat.pages.words import words
from chat.relay import threads
from chat.relay.responses import cursor_of
from chat.sites import sessions, tokens, visitors
from chat.sites.models import Site
from chat.sites.sessions import Session
from chat.sites.visits import open_site

NEW_VISITORS_PER_MINUTE = 60  # from one address


@require_safe
@never_cache
@xframe_options_exempt
def frame(request: HttpRequest, site_key: str) -> HttpResponse:
    """The page in the frame. Browsers show it within the site's origins, and our own."""
    site = open_site(site_key)
    response = render(request, "widget/frame.html", {"site": site, "words": words()})
    response.frame_ancestors = ["'self'", *site.origins]  # type: ignore[attr-defined]
    response["Cross-Origin-Embedder-Policy"] = "require-corp"  # so that a page may that has it too
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@csrf_exempt  # it answers to pages of ours only
@require_POST
async def session(request: HttpRequest, site_key: str) -> HttpResponse:
    """A bearer, for who was here before or for somebody new."""
    require_own_page(request)
    site, found = await threads.writer.run(_session, request, site_key)
    response = JsonResponse(
        {
            "token": found.tokens.bearer,
            "expires_in_seconds": int(tokens.LIFETIMES[tokens.Kind.BEARER].total_seconds()),
            "known": bool(found.visitor.subject),
            "site": shown_site(site, found.visitor),
        }
    )
    remember(response, site.key, found.tokens.cookie)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
async def consent(request: HttpRequest) -> JsonResponse:
    """The visitor agrees to what the site asks of them."""
    await threads.writer.run(visitors.agree, visit_behind(request).visitor)
    return JsonResponse({"agreed": True})


@require_safe
async def conversations(request: HttpRequest) -> JsonResponse:
    principal = await principal_of(request)
    return JsonResponse(await threads.readers.run(shown_list, principal.user_id))


@require_safe
async def conversation(request: HttpRequest, conversation_id: uuid.UUID) -> JsonResponse:
    """One of them, as it is stored; with `?before=<message>` the part that led to that message."""
    principal = await principal_of(request)
    before = cursor_of(None, request.GET.get("before")) or None
    shown = await threads.readers.run(
        shown_conversation, principal.user_id, conversation_id, before
    )
    return JsonResponse(shown)


def _session(request: HttpRequest, site_key: str) -> tuple[Site, Session]:
    site = open_site(site_key)
    found = sessions.take_up(site, cookie_of(request, site_key), _bearer(request))
    if found is None:
        throttle.require_pace("visitors", counted_address(request), NEW_VISITORS_PER_MINUTE)
        found = sessions.begin(site)
    return site, found


def _bearer(request: HttpRequest) -> str:
    try:
        return bearer_of(request)
    except TokenEnded:
        return ""
