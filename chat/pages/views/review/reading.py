"""The staff reads one chat, and writes notes beside it."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from chat.pages.review.door import for_staff, number_in, show, watching
from chat.pages.review.forms import NoteForm
from chat.pages.review.found import LIST_KEY
from chat.pages.review.live import DRAFT_KEY
from chat.pages.review.reading import shown_reading
from chat.review import access
from chat.review.audit import Look
from chat.review.notes import add_note, remove_note


@require_safe
@for_staff()
def read(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    """A stretch of one branch: its end, or around `?at=`, or what led to `?before=`."""
    before, at = (number_in(request, name) for name in ("before", "at"))
    return _reading(request, look, conversation_id, NoteForm(), before=before, at=at)


@require_POST
@for_staff()
def note(request: HttpRequest, look: Look, conversation_id: uuid.UUID) -> HttpResponse:
    """Adds a note, and shows the conversation again."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _reading(request, look, conversation_id, form, status=422)
    add_note(look, conversation_id, form.cleaned_data["text"])
    return redirect("review_conversation", conversation_id)


@require_POST
@for_staff()
def note_deletion(request: HttpRequest, look: Look, note_id: int) -> HttpResponse:
    return redirect("review_conversation", remove_note(look, note_id))


def _reading(
    request: HttpRequest,
    look: Look,
    conversation_id: uuid.UUID,
    form: NoteForm,
    *,
    before: int | None = None,
    at: int | None = None,
    status: int = 200,
) -> HttpResponse:
    reading = access.reading(look, conversation_id, before=before, at=at)
    context = shown_reading(look, reading)
    context |= {"form": form, "found": at, "list": request.session.get(LIST_KEY, "")}
    context["draft"] = request.session.pop(DRAFT_KEY, "")
    response = show(request, look, "conversation.html", context, status=status)
    return watching(response) if (context["live"] or {}).get("is_watched") else response
