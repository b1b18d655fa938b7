"""The only door to conversations and messages: nothing else fetches one by an id from outside."""

import uuid

from django.db.models.functions import Now

from chat.conversations.models import Conversation, Message
from chat.errors import Deleted, NotFound


def conversation_of(user_id: int, conversation_id: str | uuid.UUID) -> Conversation:
    """The user's conversation; a stranger's, or none, is `NotFound`, a deleted one `Deleted`."""
    conversation = Conversation.objects.filter(owner=user_id, id=conversation_id).first()
    if conversation is None:
        deleted = deleted_conversation_of(user_id, conversation_id)
        raise Deleted(deleted.pk)
    return conversation


def deleted_conversation_of(user_id: int, conversation_id: str | uuid.UUID) -> Conversation:
    """One that the user has deleted, and can have back still; anything else is `NotFound`."""
    hidden = Conversation.everything.filter(owner=user_id, id=conversation_id, goes_at__gt=Now())
    conversation = hidden.first()
    if conversation is None:
        raise NotFound
    return conversation


def message_of(conversation: Conversation, message_id: int) -> Message:
    """A message of this conversation."""
    message = conversation.messages.filter(id=message_id).first()
    if message is None:
        raise NotFound
    return message
