"""Build the page of one chat, with the forms for staff."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from chat.errors import NotFound
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_reading import is_erased_with_case, owners_of, read_cases_of_erased_chat
from chat.review.cases.notes import mentionable
from chat.review.cases.workflow import assignees_of, may_judge
from chat.review.staff import privacy
from chat.web.review.evaluation.copying import copying_context
from chat.web.review.http.facet_forms import NoteForm
from chat.web.review.http.staff_access import allow_connections, show
from chat.web.review.live.takeovers import draft_of
from chat.web.review.queue.forms import AssignForm, FlagForm, ResolveForm
from chat.web.review.queue.presenters import QUEUE_KEY, undoable
from chat.web.review.ratings.presenters import RatingRequest, ratings_context
from chat.web.review.search.presenters import LIST_KEY
from chat.web.review.transcript.note_threads import with_form
from chat.web.review.transcript.presenters import case_context, transcript_context


def conversation_page(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    *,
    before: int | None = None,
    at: int | None = None,
    status: int = 200,
    rating: RatingRequest | None = None,
    **filled: Any,
) -> HttpResponse:
    """Render the page. `filled` has invalid forms to show again; `form` is the note form.

    `rating` says which rating form to open, or has one to show again.

    Of a chat that was erased, only its cases are shown.
    """
    forms: dict[str, Any] = {
        "form": NoteForm(),
        "flag_form": FlagForm(),
        "resolve_form": ResolveForm(),
    }
    session = request.session
    forms |= filled | {"queue": session.get(QUEUE_KEY)}
    try:
        reading = access.read_branch(staff_context, conversation_id, before=before, at=at)
    except NotFound:
        return erased_chat_page(request, staff_context, conversation_id, forms, status)
    context = transcript_context(staff_context, reading)
    with_form(context["threads"], filled.get("note_form"))
    place = reverse("review_conversation", args=[conversation_id])
    context |= {"place": place, "notes_place": reverse("review")}
    context |= forms | {"found": at, "list": session.get(LIST_KEY, "")}
    context |= ratings_context(staff_context, reading, at, rating or RatingRequest())
    context["undo"] = undoable(request, staff_context)
    context["draft"] = draft_of(request, conversation_id)
    context |= copying_context(staff_context, request.user, reading.conversation.owner)
    context["mentionable"] = mentionable(staff_context, reading.conversation)
    for each in context["cases"]:
        if each["may_assign"]:  # at most one: a chat has one unresolved case
            context["assign_form"] = AssignForm(among=assignees_of(each["case"]))
    if not any(each["may_resolve"] for each in context["cases"]):
        # Another member of staff was faster; keep the text.
        context["unresolved"] = context["resolve_form"]["reason"].value()
    response = show(request, staff_context, "conversation.html", context, status=status)
    return allow_connections(response) if (context["live"] or {}).get("is_watched") else response


def back_to_chat(
    staff_context: StaffContext, conversation_id: uuid.UUID, place: str = ""
) -> HttpResponse:
    """Redirect to the chat, or to the queue if it was purged meanwhile and left no case."""
    if access.exists(staff_context, conversation_id) or is_erased_with_case(
        staff_context, conversation_id
    ):
        return redirect(reverse("review_conversation", args=[conversation_id]) + place)
    return redirect("review_queue")


def erased_chat_page(
    request: HttpRequest,
    staff_context: StaffContext,
    conversation_id: uuid.UUID,
    shared: dict[str, Any],
    status: int,
) -> HttpResponse:
    """Render the page. Raise `NotFound` if there is no case of such a chat."""
    cases = read_cases_of_erased_chat(staff_context, conversation_id)
    newest = cases[0]
    owner = owners_of([newest]).get(newest.owner_id)
    context = shared | {
        "erased_at": newest.erased_at,
        "person": privacy.shown_user(staff_context.reviewer, owner),
        "cases": [
            case_context(staff_context, each, set(), may_judge=may_judge(staff_context, each))
            for each in cases
        ],
    }
    return show(request, staff_context, "erased_chat.html", context, status=status)
