"""The only door to conversations and messages: nothing else fetches one by an id from outside."""

import uuid

from django.db.models.functions import Now

from chat.conversations.models import Conversation, Message
from chat.database.model_rows import ModelRows
from chat.errors import Deleted, NotFound

_conversations = ModelRows(Conversation)


def conversation_of(
    user_id: int, conversation_id: str | uuid.UUID, *, to_change: bool = False
) -> Conversation:
    """The user's conversation; a stranger's, or none, is `NotFound`, a deleted one `Deleted`.

    Whoever adds to its tree or takes from it asks `to_change`, inside a transaction: one at a time,
    so that nothing is added below what is being deleted.
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


def locked(conversation_id: uuid.UUID) -> Conversation:
    """Whoever's it is, for those who know that they may (chat/review/). Inside a transaction."""
    found = Conversation.objects.select_for_update(no_key=True).filter(id=conversation_id)
    conversation = found.first()
    if conversation is None:
        raise NotFound
    return conversation


def deleted_conversation_of(user_id: int, conversation_id: str | uuid.UUID) -> Conversation:
    """One that the user has deleted, and can have back still; anything else is `NotFound`."""
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
    """A message of this conversation; what was deleted is nowhere but where it is asked for."""
    found = conversation.messages.filter(id=message_id)
    if is_deleted is not None:  # None: either
        found = found.filter(deleted_at__isnull=not is_deleted)
    message = found.first()
    if message is None:
        raise NotFound
    return message
