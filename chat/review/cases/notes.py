"""Store staff notes on conversations. Whoever may read a conversation may read its notes."""

from uuid import UUID

from django.db import transaction

from chat.errors import NotFound
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import StaffNote
from chat.review.staff_notices import notify


def add_note(
    staff_context: StaffContext, conversation_id: UUID, text: str, *, is_of_team: bool = False
) -> StaffNote:
    if not access.exists(staff_context, conversation_id):
        raise NotFound
    author_id = staff_context.reviewer.user_id
    with transaction.atomic():
        if not is_of_team:
            notify.of_mentions(conversation_id, author_id, text)
        return StaffNote.objects.create(
            conversation_id=conversation_id,
            author_id=author_id,
            text=text,
            is_of_team=is_of_team,
        )


def remove_note(staff_context: StaffContext, note_id: int) -> UUID:
    """Remove the staff member's own note; return the ID of its conversation. Raise `NotFound`."""
    note = StaffNote.objects.filter(pk=note_id, author=staff_context.reviewer.user_id).first()
    if note is None or not access.exists(staff_context, note.conversation_id):
        raise NotFound
    note.delete()
    return note.conversation_id
