"""Answer, edit and resolve staff notes. A thread is a note and the replies to it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.errors import Conflict, NotFound
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import StaffNote
from chat.review.staff_notices import mentions as named
from chat.review.staff_notices import notify
from chat.review.staff_notices.mentions import Mentions

EDITABLE = timedelta(minutes=10)


def note_of(staff_context: StaffContext, note_id: int) -> StaffNote:
    """Return a note on a chat that the staff member may review. Raise `NotFound`."""
    note = StaffNote.objects.filter(pk=note_id).first()
    if note is None or not access.exists(staff_context, note.conversation_id):
        raise NotFound
    return note


@transaction.atomic
def reply(staff_context: StaffContext, note: StaffNote, text: str) -> Mentions:
    """Add a reply; tell whom it names, and the others who have written in the thread."""
    author_id = staff_context.reviewer.user_id
    thread = note.thread or note.pk
    StaffNote.objects.create(
        conversation_id=note.conversation_id, author_id=author_id, text=text, thread=thread
    )
    mentions = notify.of_mentions(note.conversation_id, author_id, text)
    told = {author_id, *(each.pk for each in mentions.told)}
    notify.of_reply(note.conversation_id, _authors(thread) - told)
    return mentions


def _authors(thread: int) -> set[int]:
    notes = StaffNote.objects.filter(pk=thread) | StaffNote.objects.filter(thread=thread)
    authors = notes.filter(author__isnull=False, is_of_team=False).values_list("author", flat=True)
    return {each for each in authors if each is not None}


def is_editable(staff_context: StaffContext, note: StaffNote) -> bool:
    """Return True if the note is the staff member's own, and new."""
    is_own = note.author_id == staff_context.reviewer.user_id
    return is_own and timezone.now() - note.created_at < EDITABLE


@transaction.atomic
def edit(staff_context: StaffContext, note: StaffNote, text: str) -> Mentions:
    """Change the staff member's own note; tell whom it names that it didn't before.

    Raise `NotFound`, or `Conflict` once it is too old.
    """
    author_id = staff_context.reviewer.user_id
    if note.author_id != author_id:
        raise NotFound
    if not is_editable(staff_context, note):
        minutes = int(EDITABLE.total_seconds() // 60)
        words = _("Notes can be changed for {minutes} minutes. Write a reply instead.")
        raise Conflict(words.format(minutes=minutes))
    before = {each.pk for each in named.find(note.text, author_id)[0]}
    StaffNote.objects.filter(pk=note.pk).update(text=text, edited_at=timezone.now())
    if note.is_of_team:
        return Mentions()
    return notify.of_mentions(note.conversation_id, author_id, text, without=before)


def set_resolved(staff_context: StaffContext, note: StaffNote, *, is_resolved: bool) -> None:
    """Mark the note's thread as resolved, or as open again."""
    first = StaffNote.objects.filter(pk=note.thread or note.pk)
    if is_resolved:
        # Whoever resolved it first stays named.
        first.filter(resolved_at=None).update(
            resolved_at=timezone.now(), resolved_by=staff_context.reviewer.user_id
        )
    else:
        first.update(resolved_at=None, resolved_by=None)
