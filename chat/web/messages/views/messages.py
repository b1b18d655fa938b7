"""Serve one stored message: show, rate, delete, branch off."""

import uuid
from typing import Annotated, Literal

import msgspec
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.accounts.principals import principal_of
from chat.conversations import access, ratings
from chat.conversations.models import COMMENT_LENGTH
from chat.conversations.ratings import Opinion
from chat.database import bulk_writes, threads
from chat.generations.deletion import turn_deletion
from chat.generations.delivery import notifications
from chat.generations.task import registry
from chat.inbox import notices
from chat.review.cases import flags
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import require_json
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_responses import json_response
from chat.web.messages.message_out import Audience
from chat.web.messages.presenters import shown_message
from chat.web.streams.send_request import sending_tab

#: Limited because each bad rating creates a case for staff.
RATINGS_PER_MINUTE = 30
#: Deletions and restorations of turns together.
DELETIONS_PER_MINUTE = 60

Reason = Literal["", "wrong", "misunderstood", "incomplete", "too_long", "harmful", "other"]


@require_safe
@never_cache
async def show(request: HttpRequest, conversation_id: uuid.UUID, message_id: int) -> HttpResponse:
    """Return the stored text and state; a running answer is read from its stream."""
    principal = await principal_of(request)
    audience = Audience.VISITOR if principal.site else Audience.MEMBER
    message = await threads.readers.run(
        shown_message, principal.user_id, conversation_id, message_id, audience
    )
    return json_response(message)


@require_POST
async def rate(request: HttpRequest, conversation_id: uuid.UUID, message_id: int) -> JsonResponse:
    """Store a rating of an answer; `{"value": 0}` withdraws it."""
    require_json(request)
    principal = await principal_of(request)
    opinion = read_opinion(request.body)
    await arequire_rate("ratings", principal.key, RATINGS_PER_MINUTE)
    await threads.writer.run(_rate, principal.user_id, conversation_id, message_id, opinion)
    return JsonResponse({"value": opinion.value if opinion else 0})


@require_http_methods(["POST", "DELETE"])
async def deletion(
    request: HttpRequest, conversation_id: uuid.UUID, message_id: int
) -> HttpResponse:
    """Delete a question, its answers and later messages; DELETE restores them for a while."""
    principal = await principal_of(request)
    await arequire_rate("turn_deletions", principal.key, DELETIONS_PER_MINUTE)
    work = _delete_turn if request.method == "POST" else turn_deletion.restore_turn
    turn = (principal.user_id, conversation_id, message_id)
    await bulk_writes.run_queued(principal.user_id, lambda: work(*turn))
    notifications.notify_in_background(
        principal.user_id, "turn", conversation_id, sending_tab(request)
    )
    return JsonResponse({"undo_seconds": settings.UNDO_SECONDS})


async def _delete_turn(user_id: int, conversation_id: uuid.UUID, message_id: int) -> None:
    for generation_id in await turn_deletion.delete_turn(user_id, conversation_id, message_id):
        if live := registry.find(generation_id):
            live.stop()


@require_POST
async def branch(request: HttpRequest, conversation_id: uuid.UUID, message_id: int) -> JsonResponse:
    """Copy all messages up to this one into a new conversation."""
    principal = await principal_of(request)
    steps = turn_deletion.branch_off(principal.user_id, conversation_id, message_id)
    copy = await bulk_writes.run_exclusively(principal.user_id, bulk_writes.run_in_steps(steps))
    notifications.notify_in_background(principal.user_id, "list", copy.pk, sending_tab(request))
    return JsonResponse({"conversation": str(copy.pk)}, status=201)


def _rate(
    user_id: int, conversation_id: uuid.UUID, message_id: int, opinion: Opinion | None
) -> None:
    message = access.message_of(access.conversation_of(user_id, conversation_id), message_id)
    with transaction.atomic():
        if opinion:
            ratings.rate(message, user_id, opinion)
        else:
            ratings.withdraw(message, user_id)
        flags.flag_rating(message, user_id, opinion)
        if opinion and opinion.value < 0:
            notices.add_for_visitor(user_id, notices.Kind.RATED_BADLY, conversation_id)


class _Rating(msgspec.Struct):
    value: Literal[-1, 0, 1]
    reason: Reason = ""
    comment: Annotated[str, msgspec.Meta(max_length=COMMENT_LENGTH)] = ""


def read_opinion(body: bytes) -> Opinion | None:
    """Return the opinion in `body`; None withdraws the previous one."""
    rating = read_small_json(body, _Rating)
    return Opinion(rating.value, rating.reason, rating.comment) if rating.value else None
