"""Let staff watch and stop running answers, and take over chats."""

import uuid

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from chat.generations.delivery.responses import cursor_of, watched_response
from chat.generations.process.subscribers import Watcher
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.web.http.js_catalog import catalog
from chat.web.http.typed_responses import json_response
from chat.web.review.http.staff_access import (
    allow_connections,
    for_staff,
    is_posted,
    number_in,
    principal_of_staff,
    show,
)
from chat.web.review.live import takeovers
from chat.web.review.live.presenters import (
    known_ids,
    running_now,
    running_summary,
    updates_context,
)


@require_safe
@for_staff()
def show_live(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show all running answers that the reviewer may see."""
    running = running_now(staff_context, set())
    context = running | {"in_words": running_summary(running["count"]), "js_catalog": catalog()}
    return allow_connections(show(request, staff_context, "live.html", context))


@require_safe
@for_staff()
def show_now(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Return the running answers as JSON; `?known=` lists the messages already shown."""
    running = running_now(staff_context, known_ids(request.GET.get("known", "")))
    return JsonResponse(running | {"in_words": running_summary(running["count"])})


@require_safe
@for_staff()
def watch(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    generation_id: uuid.UUID,
) -> HttpResponseBase:
    """Stream a running answer to staff."""
    after = cursor_of(request.headers.get("Last-Event-ID"), request.GET.get("after"))
    access.record_watch(staff_context, conversation_id, generation_id)
    principal = principal_of_staff(request, staff_context)
    watched = Watcher(staff_context.reviewer.user_id, conversation_id)
    return watched_response(generation_id, principal, watched, after)


@require_safe
@for_staff()
def updates(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Return the messages after `?after=`. Each request keeps the staff member's takeover alive."""
    after, typing = number_in(request, "after") or 0, request.GET.get("typing", "")
    return json_response(updates_context(staff_context, conversation_id, after, typing))


@require_POST
@for_staff()
def stop(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    return takeovers.stop(request, staff_context, conversation_id, _back(conversation_id))


@require_POST
@for_staff(is_act=is_posted)
def take_over(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    back = _back(conversation_id, "say")
    return takeovers.take_over(request, staff_context, conversation_id, back)


@require_POST
@for_staff()
def send_message(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    back = _back(conversation_id, "say")
    return takeovers.send_message(request, staff_context, conversation_id, back)


@require_POST
async def hand_back(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponseBase:
    """End the takeover, keep what was typed, and let the model answer what is open."""
    response = await sync_to_async(_hand_back)(request, conversation_id=conversation_id)
    return await takeovers.answer_after(request, response, conversation_id)


@for_staff()
def _hand_back(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    return takeovers.hand_back(request, staff_context, conversation_id, _back(conversation_id))


def _back(conversation_id: uuid.UUID, part: str = "live") -> HttpResponse:
    """Redirect to a part of the chat's page, which the browser then focuses."""
    response = redirect("review_conversation", conversation_id)
    response["Location"] += f"#{part}"
    return response
