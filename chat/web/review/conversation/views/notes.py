"""Add, answer, edit and resolve staff notes on a chat."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.errors import Conflict
from chat.review.access_log.staff_context import StaffContext
from chat.review.cases import note_threads, notes
from chat.review.models import StaffNote
from chat.review.staff_notices.mentions import Mentions
from chat.web.review.conversation.page import conversation_page
from chat.web.review.http.facet_forms import NoteEditForm, NoteForm, NoteReplyForm
from chat.web.review.http.staff_access import for_staff


@require_POST
@for_staff()
def add(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Add a note and return to the conversation."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return conversation_page(request, staff_context, conversation_id, status=422, form=form)
    mentions = notes.add_note(staff_context, conversation_id, form.cleaned_data["text"])
    _say_who_was_told(request, mentions, _("Note added."))
    return redirect("review_conversation", conversation_id)


@require_POST
@for_staff()
def reply(request: HttpRequest, staff_context: StaffContext, note_id: int) -> HttpResponse:
    """Add a reply to the thread of this note."""
    note = note_threads.note_of(staff_context, note_id)
    form = NoteReplyForm(request.POST, prefix=f"reply{note_id}")
    if not form.is_valid():
        return _again(request, staff_context, note, form)
    mentions = note_threads.reply(staff_context, note, form.cleaned_data["text"])
    _say_who_was_told(request, mentions, _("Reply added."))
    return _to(note)


@require_POST
@for_staff()
def edit(request: HttpRequest, staff_context: StaffContext, note_id: int) -> HttpResponse:
    """Change the staff member's own note, for some minutes."""
    note = note_threads.note_of(staff_context, note_id)
    form = NoteEditForm(request.POST, prefix=f"edit{note_id}")
    if not form.is_valid():
        return _again(request, staff_context, note, form)
    try:
        mentions = note_threads.edit(staff_context, note, form.cleaned_data["text"])
    except Conflict as refusal:
        form.add_error("text", refusal.public)
        return _again(request, staff_context, note, form, refusal.status)
    _say_who_was_told(request, mentions, _("Note changed."))
    return _to(note)


@require_POST
@for_staff()
def resolve(request: HttpRequest, staff_context: StaffContext, note_id: int) -> HttpResponse:
    """Mark a thread as resolved, or as open again."""
    note = note_threads.note_of(staff_context, note_id)
    note_threads.set_resolved(staff_context, note, is_resolved="undo" not in request.POST)
    return _to(note)


@require_POST
@for_staff()
def delete(request: HttpRequest, staff_context: StaffContext, note_id: int) -> HttpResponse:
    return redirect("review_conversation", notes.remove_note(staff_context, note_id))


def _again(
    request: HttpRequest,
    staff_context: StaffContext,
    note: StaffNote,
    form: NoteForm,
    status: int = 422,
) -> HttpResponse:
    return conversation_page(
        request, staff_context, note.conversation_id, status=status, note_form=form
    )


def _to(note: StaffNote) -> HttpResponse:
    address = reverse("review_conversation", args=[note.conversation_id])
    return redirect(f"{address}#note-{note.pk}")


def _say_who_was_told(request: HttpRequest, mentions: Mentions, done: str) -> None:
    told, others = (
        get_text_list([str(each) for each in people], _("and"))
        for people in (mentions.told, mentions.without_access)
    )
    if told:
        notified = _("Notified: {names}.").format(names=told)
        messages.success(request, f"{done} {notified}")
    if others:
        words = _("Not notified, because they may not read this chat: {names}.")
        messages.warning(request, words.format(names=others))
    if mentions.unknown:
        names = ", ".join(f"@{each}" for each in mentions.unknown)
        words = _("Nobody was notified for {names}. Write a full name or an email address.")
        messages.warning(request, words.format(names=names))
