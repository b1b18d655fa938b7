"""Moderate conversations: hide a message, close a chat, place a legal hold; and undo each."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from chat.generations.delivery import notifications
from chat.review.access_log.authority import with_reason
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import content
from chat.review.staff.roles import Role
from chat.web.review.conversation.page import back_to_chat, conversation_page
from chat.web.review.http.staff_access import for_staff
from chat.web.review.moderation.forms import ModerationForm


@require_POST
@for_staff()
def redaction(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, message_id: int
) -> HttpResponse:
    """Hide a message; with `undo`, show it again."""
    form = ModerationForm(request.POST)
    if not form.is_valid():
        return conversation_page(
            request, staff_context, conversation_id, at=message_id, status=422, hiding_form=form
        )
    verb, done = (
        (content.show, _("Message unhidden."))
        if "undo" in request.POST
        else (content.hide, _("Message hidden."))
    )
    verb_there = partial(verb, message_id=message_id)
    place = f"?at={message_id}#m{message_id}"
    return _done(request, _why(staff_context, form), conversation_id, verb_there, done, place)


@require_POST
@for_staff()
def closure(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    form = ModerationForm(request.POST)
    if not form.is_valid():
        return conversation_page(
            request, staff_context, conversation_id, status=422, closing_form=form
        )
    verb, done = (
        (content.reopen, _("Chat reopened."))
        if "undo" in request.POST
        else (content.close, _("Chat closed."))
    )
    return _done(request, _why(staff_context, form), conversation_id, verb, done)


@require_POST
@for_staff(Role.LEAD)
def legal_hold(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    form = ModerationForm(request.POST)
    if not form.is_valid():
        return conversation_page(
            request, staff_context, conversation_id, status=422, holding_form=form
        )
    verb, done = (
        (content.release, _("Legal hold lifted."))
        if "undo" in request.POST
        else (content.hold, _("Legal hold placed. The chat is kept even if its owner deletes it."))
    )
    return _done(request, _why(staff_context, form), conversation_id, verb, done)


def _why(staff_context: StaffContext, form: ModerationForm) -> StaffContext:
    return with_reason(staff_context, form.cleaned_data["reason"])


def _done(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    act: Callable[[StaffContext, uuid.UUID], Any],
    done: Promise | str,
    place: str = "",
) -> HttpResponse:
    """Act, notify the owner's open pages, and redirect to the chat."""
    conversation = act(staff_context, conversation_id)
    notifications.notify_from_thread(conversation.owner_id, "turn", conversation.pk)
    messages.success(request, str(done))
    return back_to_chat(staff_context, conversation_id, place)
