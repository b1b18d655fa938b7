"""Fetch conversations and messages with an access check.

All code that handles ids from requests uses these functions.
"""

import uuid
from collections.abc import Iterable

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from chat.conversations.models import Conversation, Message
from chat.database.prepared import PreparedQuery, PreparedUpdate
from chat.errors import Deleted, NotFound

#: `chat/generations/send/plan.py` decides for one revision of a conversation.
NEXT_REVISION = {"revision": F("revision") + 1}


def _own_conversation(user_id: int, conversation_id: uuid.UUID) -> QuerySet[Conversation]:
    return Conversation.objects.filter(owner=user_id, pk=conversation_id)


_own = PreparedQuery(_own_conversation)
_change_own = PreparedUpdate(lambda user_id, pk: (_own_conversation(user_id, pk), NEXT_REVISION))


def conversation_of(
    user_id: int, conversation_id: str | uuid.UUID, *, to_change: bool = False
) -> Conversation:
    """Return the user's conversation.

    Raise `NotFound` if it does not exist or is not theirs, and `Deleted` if they have deleted it
    and can still restore it. Callers that change its tree pass `to_change` inside a transaction:
    the row lock makes sure that nothing is added below a message that is being deleted. It also
    raises the revision, so that a send planned before is planned again.
    """
    mine = user_id, uuid.UUID(str(conversation_id))
    rows = _change_own.returning(*mine) if to_change else _own.all(*mine)
    if not rows:
        deleted = deleted_conversation_of(user_id, conversation_id)
        raise Deleted(deleted.pk)
    return rows[0]


def conversations_of(
    user_id: int, conversation_ids: Iterable[str], *, deleted: bool = False
) -> list[Conversation]:
    """Return these conversations of the user; raise `NotFound` if one of them is not theirs.

    With `deleted`, return those that they have deleted and can still restore.
    """
    try:
        wanted = {uuid.UUID(each) for each in conversation_ids}
    except ValueError:
        raise NotFound from None
    present = {"purge_after__gt": Now()} if deleted else {"purge_after": None}
    mine = Conversation.all_objects.filter(owner=user_id, pk__in=wanted, **present)
    conversations = list(mine.order_by("pk"))
    if len(conversations) != len(wanted):
        raise NotFound
    return conversations


def locked(conversation_id: uuid.UUID) -> Conversation:
    """Lock a conversation regardless of its owner; raise `NotFound` if it does not exist.

    The caller has authorised access (chat/review/). Call it inside a transaction. Like
    `conversation_of(…, to_change=True)`, it raises the revision.
    """
    present = Conversation.objects.filter(pk=conversation_id)
    if not present.update(**NEXT_REVISION):
        raise NotFound
    return present.get()


def raise_revision(conversation_id: uuid.UUID) -> None:
    """Lock a conversation, deleted or not, whose messages or takeover the caller changes."""
    Conversation.all_objects.filter(pk=conversation_id).update(**NEXT_REVISION)


def deleted_conversation_of(user_id: int, conversation_id: str | uuid.UUID) -> Conversation:
    """Return a deleted conversation that the user can still restore; otherwise raise `NotFound`."""
    hidden = Conversation.all_objects.filter(
        owner=user_id, id=conversation_id, purge_after__gt=Now()
    )
    conversation = hidden.first()
    if conversation is None:
        raise NotFound
    return conversation


def message_of(
    conversation: Conversation, message_id: int, *, is_deleted: bool | None = False
) -> Message:
    """Return a message of this conversation; raise `NotFound` unless it is deleted as asked.

    `is_deleted` is False for present messages, True for deleted ones, and None for either.
    """
    messages = conversation.messages.filter(id=message_id)
    if is_deleted is not None:  # None: either
        messages = messages.filter(deleted_at__isnull=not is_deleted)
    message = messages.first()
    if message is None:
        raise NotFound
    return message
