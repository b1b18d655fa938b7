"""What the staff writes beside a conversation. It is within reach where the conversation is."""

from uuid import UUID

from chat.errors import NotFound
from chat.review import access
from chat.review.access_log.staff_context import Look
from chat.review.models import Note


def add_note(look: Look, conversation_id: UUID, text: str) -> Note:
    if not access.exists(look, conversation_id):
        raise NotFound
    return Note.objects.create(
        conversation_id=conversation_id, author_id=look.reviewer.user_id, text=text
    )


def remove_note(look: Look, note_id: int) -> UUID:
    """One's own; returns the conversation that it stood beside."""
    note = Note.objects.filter(pk=note_id, author=look.reviewer.user_id).first()
    if note is None or not access.exists(look, note.conversation_id):
        raise NotFound
    note.delete()
    return note.conversation_id
