"""Serve one chat for staff to read, and its staff notes."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.review.access import read_file, read_image
from chat.review.access_log.staff_context import StaffContext
from chat.review.cases.notes import add_note, remove_note
from chat.review.staff_notices.mentions import Mentions
from chat.web.http.files.image_file import image_response
from chat.web.http.files.saved_file import file_response
from chat.web.review.conversation.page import conversation_page
from chat.web.review.http.facet_forms import NoteForm
from chat.web.review.http.staff_access import for_staff, number_in


@require_safe
@for_staff()
def read(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Show part of a branch: its end, the messages around `?at=`, or those before `?before=`."""
    before, at = (number_in(request, name) for name in ("before", "at"))
    return conversation_page(request, staff_context, conversation_id, before=before, at=at)


@require_safe
@for_staff()
def image(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, digest: str
) -> HttpResponse:
    """Show an image of a question. It is loaded only on request, because that is recorded."""
    return image_response(read_image(staff_context, conversation_id, digest))


@require_safe
@for_staff()
def download(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID, file: str
) -> HttpResponse:
    """Send the original of a question's file, which is recorded, too."""
    return file_response(read_file(staff_context, conversation_id, file))


@require_POST
@for_staff()
def note(
    request: HttpRequest, staff_context: StaffContext, conversation_id: uuid.UUID
) -> HttpResponse:
    """Add a note and return to the conversation."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return conversation_page(request, staff_context, conversation_id, status=422, form=form)
    mentions = add_note(staff_context, conversation_id, form.cleaned_data["text"])
    _say_who_was_told(request, mentions)
    return redirect("review_conversation", conversation_id)


def _say_who_was_told(request: HttpRequest, mentions: Mentions) -> None:
    told, others = (
        get_text_list([str(each) for each in people], _("and"))
        for people in (mentions.told, mentions.without_access)
    )
    if told:
        messages.success(request, _("Note added. Notified: {names}.").format(names=told))
    if others:
        words = _("Not notified, because they may not read this chat: {names}.")
        messages.warning(request, words.format(names=others))
    if mentions.unknown:
        names = ", ".join(f"@{each}" for each in mentions.unknown)
        words = _("Nobody was notified for {names}. Write a full name or an email address.")
        messages.warning(request, words.format(names=names))


@require_POST
@for_staff()
def note_deletion(request: HttpRequest, staff_context: StaffContext, note_id: int) -> HttpResponse:
    return redirect("review_conversation", remove_note(staff_context, note_id))
