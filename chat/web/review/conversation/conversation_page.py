"""Build the page of one chat, with the forms for staff."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.web.review.http.facet_forms import NoteForm
from chat.web.review.http.staff_access import allow_connections, show
from chat.web.review.live.handback import draft_of
from chat.web.review.queue.forms import AssignForm, FlagForm, ResolveForm
from chat.web.review.queue.presenters import QUEUE_KEY
from chat.web.review.search.presenters import LIST_KEY
from chat.web.review.transcript.presenters import transcript_context


def conversation_page(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    *,
    before: int | None = None,
    at: int | None = None,
    status: int = 200,
    **filled: Any,
) -> HttpResponse:
    """Render the page. `filled` has invalid forms to show again; `form` is the note form."""
    reading = access.read_branch(staff_context, conversation_id, before=before, at=at)
    context = transcript_context(staff_context, reading)
    forms = {
        "form": NoteForm(),
        "flag_form": FlagForm(),
        "resolve_form": ResolveForm(),
        "assign_form": AssignForm(),
    }
    session = request.session
    place = reverse("review_conversation", args=[conversation_id])
    context |= {"place": place, "notes_place": reverse("review")}
    context |= forms | filled | {"found": at, "list": session.get(LIST_KEY, "")}
    context |= {"queue": session.get(QUEUE_KEY), "draft": draft_of(request, conversation_id)}
    if not any(each["may_resolve"] for each in context["cases"]):
        # Another member of staff was faster; keep the text.
        context["unresolved"] = context["resolve_form"]["reason"].value()
    response = show(request, staff_context, "conversation.html", context, status=status)
    return allow_connections(response) if (context["live"] or {}).get("is_watched") else response


def back_to_chat(
    staff_context: StaffContext, conversation_id: uuid.UUID, place: str = ""
) -> HttpResponse:
    """Redirect to the chat, or to the queue if the action allowed the chat to be purged."""
    if access.exists(staff_context, conversation_id):
        return redirect(reverse("review_conversation", args=[conversation_id]) + place)
    return redirect("review_queue")
