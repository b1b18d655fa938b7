"""Store staff notes on conversations. Whoever may read a conversation may read its notes."""

from collections import Counter
from uuid import UUID

from django.db import transaction

from chat.conversations.models import Conversation
from chat.errors import NotFound
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import StaffNote
from chat.review.staff.readers import readers_of
from chat.review.staff.roles import Role
from chat.review.staff_notices import notify
from chat.review.staff_notices.mentions import Mentions

MAX_MENTIONABLE = 200  # names that are completed while typing


def add_note(
    staff_context: StaffContext, conversation_id: UUID, text: str, *, is_of_team: bool = False
) -> Mentions:
    """Add a note; return whom it names, and whether they were told. Raise `NotFound`."""
    if not access.exists(staff_context, conversation_id):
        raise NotFound
    author_id = staff_context.reviewer.user_id
    with transaction.atomic():
        StaffNote.objects.create(
            conversation_id=conversation_id,
            author_id=author_id,
            text=text,
            is_of_team=is_of_team,
        )
        if is_of_team:
            return Mentions()
        return notify.of_mentions(conversation_id, author_id, text)


def mentionable(staff_context: StaffContext, conversation: Conversation) -> list[str]:
    """Return what to write after `@` to notify each of those who may read the chat."""
    least = Role.LEAD if conversation.purge_after else Role.REVIEWER
    others = readers_of(conversation.owner_id, least).exclude(pk=staff_context.reviewer.user_id)
    people = list(others[:MAX_MENTIONABLE])
    count_of = Counter(each.name.casefold() for each in people)
    return [
        each.name if each.name and count_of[each.name.casefold()] == 1 else each.email
        for each in people
    ]


def remove_note(staff_context: StaffContext, note_id: int) -> UUID:
    """Remove the staff member's own note; return the ID of its conversation. Raise `NotFound`."""
    note = StaffNote.objects.filter(pk=note_id, author=staff_context.reviewer.user_id).first()
    if note is None or not access.exists(staff_context, note.conversation_id):
        raise NotFound
    note.delete()
    return note.conversation_id
