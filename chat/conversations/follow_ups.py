"""Store the questions that are suggested after an answer, and read what they are made from.

They are part of the answer: they go with it, and if it or its question is hidden, they are removed.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from chat.conversations.models import Conversation, Message

MAX_FOLLOW_UPS, MAX_FOLLOW_UP_CHARS = 3, 120


def question_before(answer_id: int) -> str | None:
    """Return the question of an answer that may suggest others.

    None if one of them was hidden or deleted, or the chat has gone on meanwhile.
    """
    later = Message.objects.filter(parent=OuterRef("pk"))
    rows = _shown(answer_id).exclude(Exists(later))
    return rows.values_list("parent__text", flat=True).first()


@transaction.atomic
def store(conversation_id: UUID, answer_id: int, questions: Sequence[str]) -> bool:
    """Store the questions with the answer; return False if it has been hidden or deleted."""
    held = Conversation.objects.select_for_update(no_key=True)  # as `redaction` does
    if not held.filter(pk=conversation_id).exists():
        return False
    shown = _shown(answer_id).values("pk")
    return bool(Message.objects.filter(pk__in=shown).update(follow_ups=list(questions)))


def remove_about(message: Message) -> None:
    """Remove those that were made from this message, in a transaction that hides it."""
    about = Q(pk=message.pk) | Q(parent=message.pk)
    Message.objects.filter(about).exclude(follow_ups=None).update(follow_ups=None)


def _shown(answer_id: int) -> QuerySet[Message]:
    return Message.objects.filter(
        pk=answer_id, deleted_at=None, hidden_at=None, parent__role="user", parent__hidden_at=None
    )
