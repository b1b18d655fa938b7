"""Keep conversations that staff need from being purged when their owner deletes them.

They are hidden from everybody else at once, as usual. They are purged when staff release them, or
`HOLD_MAX_DAYS` after the deletion; with 0 days nothing is held.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from chat.conversations.models import Conversation


def max_duration() -> timedelta:
    """Return the longest time that a deleted conversation is held."""
    return timedelta(days=settings.HOLD_MAX_DAYS)


def purgeable(conversation: str = "", since: str = "purge_after") -> Q:
    """Match deleted rows that may be purged.

    `since` is the column with the time of the deletion, `conversation` the lookup prefix that leads
    to their conversation.
    """
    return Q(**{f"{conversation}held_at": None}) | Q(**{f"{since}__lte": Now() - max_duration()})


def retained(conversation: str = "", since: str = "purge_after") -> Q:
    """Match deleted rows that are still held."""
    held = Q(**{f"{conversation}held_at__isnull": False})
    return held & Q(**{f"{since}__gt": Now() - max_duration()})


def latest_purge_at(conversation: Conversation) -> datetime | None:
    """Return when it is purged at the latest, if deleted now or already; None if it is not held."""
    if not (conversation.held_at and settings.HOLD_MAX_DAYS):
        return None
    return (conversation.purge_after or timezone.now()) + max_duration()


def held_conversations(whose: Q) -> QuerySet[Conversation]:
    """Return the matching conversations that a deletion would only hide."""
    if not settings.HOLD_MAX_DAYS:
        return Conversation.objects.none()
    return Conversation.objects.filter(whose, held_at__isnull=False)
