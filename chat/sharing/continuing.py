"""Going on from what somebody else has shared, in a conversation of one's own."""

from datetime import timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from chat.conversations import storage, turns
from chat.conversations.models import Conversation, Message
from chat.errors import TooOften
from chat.sharing.models import SharedLink

PER_HOUR = 30  # nothing is asked of a model, so no other limit stands before it
HOUR = timedelta(hours=1)


def continue_from(link: SharedLink, user_id: int) -> Conversation:
    """A new conversation of the user's with everything that the link shows."""
    _require_patience(user_id)
    words = (turn["text"] + turn.get("reasoning", "") for turn in link.turns)
    storage.require_storage(user_id, sum(map(storage.bytes_of, words)))
    return _copied(link, user_id)


@transaction.atomic
def _copied(link: SharedLink, user_id: int) -> Conversation:
    conversation = turns.start_conversation(user_id)
    conversation.title = link.title
    conversation.save(update_fields=["title"])
    Message.objects.bulk_create(
        Message(
            conversation=conversation,
            role=turn["role"],
            text=turn["text"],
            reasoning=turn.get("reasoning", ""),
            is_imported="imported" in turn,
            hidden_at=timezone.now() if "hidden" in turn else None,
        )
        for turn in link.turns
    )
    before = Message.objects.filter(conversation=conversation, id__lt=OuterRef("id"))
    conversation.messages.update(parent=Subquery(before.order_by("-id").values("id")[:1]))
    return conversation


def _require_patience(user_id: int) -> None:
    now = timezone.now().timestamp()
    hour, seconds_into = divmod(now, HOUR.total_seconds())
    key = f"continued:{user_id}:{hour:.0f}"
    done: int = cache.get(key, 0)
    if done >= PER_HOUR:
        raise TooOften(retry_after_seconds=HOUR.total_seconds() - seconds_into)
    cache.set(key, done + 1, HOUR.total_seconds())
