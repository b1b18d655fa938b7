"""Fetch conversations and messages with an access check.

All code that handles ids from requests uses these functions.
"""

import uuid
from collections.abc import Iterable

from django.db.models.functions import Now

from chat.conversations.models import Conversation, Message
from chat.database.model_rows import ModelRows
from chat.errors import Deleted, NotFound

_conversations = ModelRows(Conversation)


def conversation_of(
    user_id: int, conversation_id: str | uuid.UUID, *, to_change: bool = False
) -> Conversation:
    """Return the user's conversation.

    Raise `NotFound` if it does not exist or is not theirs, and `Deleted` if they have deleted it
    and can still restore it. Callers that change its tree pass `to_change` inside a transaction:
    the row lock makes sure that nothing is added below a message that is being deleted.
    """
    conversation = _conversations.first(
        "owner_id = %s AND id = %s AND purge_after IS NULL",
        user_id,
        uuid.UUID(str(conversation_id)),
        lock=to_change,
    )
    if conversation is None:
        deleted = deleted_conversation_of(user_id, conversation_id)
        raise Deleted(deleted.pk)
    return conversation


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
    found = list(mine.order_by("pk"))
    if len(found) != len(wanted):
        raise NotFound
    return found


def locked(conversation_id: uuid.UUID) -> Conversation:
    """Lock a conversation regardless of its owner; raise `NotFound` if it does not exist.

    The caller has authorised access (chat/review/). Call it inside a transaction.
    """
    found = Conversation.objects.select_for_update(no_key=True).filter(id=conversation_id)
    conversation = found.first()
    if conversation is None:
        raise NotFound
    return conversation


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
    found = conversation.messages.filter(id=message_id)
    if is_deleted is not None:  # None: either
        found = found.filter(deleted_at__isnull=not is_deleted)
    message = found.first()
    if message is None:
        raise NotFound
    return message
