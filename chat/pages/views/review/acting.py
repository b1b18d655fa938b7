"""The staff acts on what was said: hides a message, closes a chat, holds one; and back."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from chat.pages.review.act_forms import ActForm
from chat.pages.review.door import for_staff
from chat.relay import hints
from chat.review.acting import because, words
from chat.review.audit import Look
from chat.review.roles import Role


@require_POST
@for_staff()
def hiding(
    request: HttpRequest, look: Look, conversation_id: uuid.UUID, message_id: int
) -> HttpResponse:
    """Hides a message; with `undo` shows it again."""
    verb, done = (
        (words.show, _("The message is shown again."))
        if "undo" in request.POST
        else (words.hide, _("The message is hidden."))
    )
    place = f"?at={message_id}#m{message_id}"
    return _done(
        request,
        look,
        lambda why: verb(why, conversation_id, message_id),
        done,
        conversation_id,
        place,
    )


@require_POST
@for_staff()
def closing(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    verb, done = (
        (words.reopen, _("The chat is open again."))
        if "undo" in request.POST
        else (words.close, _("The chat is closed."))
    )
    return _done(request, look, lambda why: verb(why, conversation_id), done, conversation_id)


@require_POST
@for_staff(Role.LEAD)
def holding(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    verb, done = (
        (words.release, _("The chat is no longer held."))
        if "undo" in request.POST
        else (words.hold, _("The chat is held: it is not erased when its owner deletes it."))
    )
    return _done(request, look, lambda why: verb(why, conversation_id), done, conversation_id)


def _done(
    request: HttpRequest,
    look: Look,
    act: Callable[[Look], Any],
    done: Promise | str,
    conversation_id: uuid.UUID,
    place: str = "",
) -> HttpResponse:
    """Back to the chat, which says what was done or why not; the owner's open pages look again."""
    form = ActForm(look, request.POST)
    if form.is_valid():
        conversation = act(because(look, form.cleaned_data["reason"]))
        hints.tell_from_thread(conversation.owner_id, "turn", conversation.pk)
        messages.success(request, str(done))
    else:
        messages.error(request, " ".join(str(each[0]) for each in form.errors.values()))
    return redirect(reverse("review_conversation", args=[conversation_id]) + place)
