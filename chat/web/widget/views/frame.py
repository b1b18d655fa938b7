"""Serve the frame that other websites embed, and its visitor's conversations."""

import json
import uuid
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import NotFound
from chat.inbox import visitor_details
from chat.site_settings import effective
from chat.upstream import available_models
from chat.web.http.js_catalog import catalog
from chat.web.http.query_params import message_number
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.typed_responses import PageResponse, json_response, render_page
from chat.web.widget.card_links import linked_origins
from chat.web.widget.languages import language_of
from chat.web.widget.presenters import reads_images, shown_conversation, shown_list
from chat.widget_sites import visitors
from chat.widget_sites.look import drafts
from chat.widget_sites.look.proactive_messages import texts_by_id
from chat.widget_sites.look.texts import WidgetTexts
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visits import open_site


@require_safe
@never_cache
@xframe_options_exempt
def frame(request: HttpRequest, site_key: str) -> HttpResponse:
    """Show the page in the frame."""
    site = open_site(site_key)
    drafts.apply(site, request.GET.get("draft", ""))
    language = language_of(request, site)
    context = {
        "site": site,
        "look": WidgetLook.of(site),
        "visitor_form": visitor_details.form_of(site),
        "phrases": json.dumps(site.person_phrases),
        "texts": WidgetTexts.of(site, language),
        "proactive_texts": texts_by_id(site, language),
        "masks_personal_data": effective.masks_personal_data(),
        "suggests_questions": site.suggests_questions
        and bool(settings.TITLE_MODEL)
        and effective.suggests_questions(),
        "card_origins": linked_origins(site) if site.has_cards else "",
        "uses_emulator": available_models.is_emulated(site.persona.model if site.persona else ""),
        "reads_images": site.accepts_files and reads_images(site),
        "max_images": settings.MAX_MESSAGE_IMAGES,
        "max_image_bytes": min(settings.MAX_IMAGE_BYTES, settings.MAX_VISITOR_FILE_BYTES),
        "max_document_bytes": settings.MAX_VISITOR_FILE_BYTES,
        "may_challenge": bool(settings.CHALLENGE_SCRIPT),
    }
    response = _framed(_in_language(request, site, "widget/frame.html", context), site)
    if not settings.CHALLENGE_SCRIPT:  # a challenge's own frames may not opt in to this policy
        # Lets pages with the same policy embed the frame.
        response["Cross-Origin-Embedder-Policy"] = "require-corp"
    return response


@require_safe
@never_cache
@xframe_options_exempt
def challenge(request: HttpRequest, site_key: str) -> HttpResponse:
    """Show the page, nested in the frame, that verifies that the visitor is human."""
    site = open_site(site_key)
    if not settings.CHALLENGE_SCRIPT:
        raise NotFound
    context = {"script": settings.CHALLENGE_SCRIPT, "key": settings.CHALLENGE_SITE_KEY}
    return _framed(_in_language(request, site, "widget/challenge.html", context), site)


def _in_language(
    request: HttpRequest, site: WidgetSite, template: str, context: dict[str, Any]
) -> PageResponse:
    language = language_of(request, site)
    with translation.override(language):
        response = render_page(request, template, context | {"js_catalog": catalog()})
    response["Content-Language"] = language
    return response


def _framed(response: PageResponse, site: WidgetSite) -> HttpResponse:
    """Allow the response to be framed by the site's origins and our own."""
    response.frame_ancestors = ["'self'", *site.origins]
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@require_POST
async def consent(request: VisitorRequest) -> JsonResponse:
    """Record the visitor's consent."""
    await threads.writer.run(visitors.record_consent, request.visit.visitor)
    return JsonResponse({"agreed": True})


@require_safe
async def conversations(request: HttpRequest) -> JsonResponse:
    principal = await principal_of(request)
    return JsonResponse(await threads.readers.run(shown_list, principal.user_id))


@require_safe
async def conversation(request: VisitorRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Return a stored conversation; with `?before=<message>`, the turns before that message."""
    before = message_number(request.GET.get("before"))
    shown = await threads.readers.run(shown_conversation, request.visit, conversation_id, before)
    return json_response(shown)
