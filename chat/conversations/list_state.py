"""Move conversations in their owner's list: pin, archive, delete and restore them."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from chat.conversations.models import Conversation
from chat.conversations.summaries import summaries


def set_state(conversation: Conversation, state: Conversation.ListState) -> None:
    conversation.list_state = state
    conversation.save(update_fields=["list_state"])


def hide(conversation: Conversation, seconds: float) -> None:
    """Hide a conversation from everybody; its owner can restore it for so many seconds."""
    hide_all(Conversation.objects.filter(pk=conversation.pk), seconds)


@transaction.atomic
def hide_all(conversations: QuerySet[Conversation], seconds: float = 0) -> int:
    """Hide these conversations; they are purged after so many seconds. Return how many.

    Their summaries go at once, and are written again if the conversations are restored.
    """
    summaries.remove_of(conversations)
    # Use the database's clock, because several hosts compare the time.
    return conversations.update(purge_after=Now() + timedelta(seconds=seconds))


def restore(conversation: Conversation) -> bool:
    """Restore a hidden conversation; return False if it is too late."""
    hidden = Conversation.all_objects.filter(pk=conversation.pk, purge_after__gt=Now())
    return bool(hidden.update(purge_after=None))
