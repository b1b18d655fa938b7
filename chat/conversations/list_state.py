"""Where a conversation is kept, and how it is let go: from pinned to deleted, and back."""

from datetime import timedelta

from django.db.models.functions import Now

from chat.conversations.models import Conversation


def put(conversation: Conversation, state: Conversation.ListState) -> None:
    conversation.list_state = state
    conversation.save(update_fields=["list_state"])


def hide(conversation: Conversation, seconds: float) -> None:
    """Nobody finds it any more; for so many seconds its owner can have it back."""
    # By the database's clock: several hosts may ask it whether the time is over.
    Conversation.objects.filter(pk=conversation.pk).update(
        purge_after=Now() + timedelta(seconds=seconds)
    )


def restore(conversation: Conversation) -> bool:
    """As if it had not been deleted; False if the time is over."""
    hidden = Conversation.all_objects.filter(pk=conversation.pk, purge_after__gt=Now())
    return bool(hidden.update(purge_after=None))
