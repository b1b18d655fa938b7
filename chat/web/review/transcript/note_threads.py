"""Present the staff notes on a chat as threads."""

from dataclasses import dataclass, field
from typing import Any

from chat.review.access_log.staff_context import StaffContext
from chat.review.cases.note_threads import is_editable
from chat.review.models import StaffNote
from chat.web.review.http.facet_forms import NoteEditForm, NoteForm, NoteReplyForm


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A note, and what the staff member may do with it."""

    note: StaffNote
    is_own: bool
    edit_form: NoteForm | None = None


@dataclass(slots=True)
class NoteThread:
    """A note and its replies; `first` is None if it was deleted and the replies were not."""

    id: int
    reply_form: NoteForm
    first: ShownNote | None = None
    replies: list[ShownNote] = field(default_factory=list)

    @property
    def is_resolved(self) -> bool:
        return bool(self.first and self.first.note.resolved_at)


def threads_of(staff_context: StaffContext, conversation: Any) -> list[NoteThread]:
    """Return the threads by their first notes, the oldest first."""
    notes = StaffNote.objects.filter(conversation=conversation)
    threads: dict[int, NoteThread] = {}
    for each in notes.select_related("author", "resolved_by"):
        key = each.thread or each.pk
        if key not in threads:
            threads[key] = NoteThread(key, NoteReplyForm(prefix=f"reply{key}"))
        shown = _shown(staff_context, each)
        if each.thread:
            threads[key].replies.append(shown)
        else:
            threads[key].first = shown
    return list(threads.values())


def _shown(staff_context: StaffContext, note: StaffNote) -> ShownNote:
    form = None
    if is_editable(staff_context, note):
        form = NoteEditForm(prefix=f"edit{note.pk}", initial={"text": note.text})
    return ShownNote(note, note.author_id == staff_context.reviewer.user_id, form)


def of_team(threads: list[NoteThread]) -> list[NoteThread]:
    """Return the notes of a website's team, without what staff reply to them."""
    return [
        NoteThread(each.id, each.reply_form, each.first)
        for each in threads
        if each.first and each.first.note.is_of_team
    ]


def with_form(threads: list[NoteThread], form: NoteForm | None) -> list[NoteThread]:
    """Return the threads with this form, which was invalid, in its place."""
    for thread in threads:
        if form and form.prefix == thread.reply_form.prefix:
            thread.reply_form = form
        thread.replies = [_with_form(each, form) for each in thread.replies]
        thread.first = _with_form(thread.first, form) if thread.first else None
    return threads


def _with_form(shown: ShownNote, form: NoteForm | None) -> ShownNote:
    if form and form.prefix == f"edit{shown.note.pk}":
        return ShownNote(shown.note, shown.is_own, form)
    return shown
