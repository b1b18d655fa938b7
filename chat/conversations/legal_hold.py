"""What the staff needs is not erased as soon as its owner deletes it.

It is hidden from everybody at once, as ever. The words go when the staff lets them, or
`HOLD_MAX_DAYS` after the deletion; 0 days is no holding at all.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from chat.conversations.models import Conversation


def longest() -> timedelta:
    return timedelta(days=settings.HOLD_MAX_DAYS)


def may_go(conversation: str = "", since: str = "purge_after") -> Q:
    """What is not held any more, of rows deleted at `since`; `conversation` leads to theirs."""
    return Q(**{f"{conversation}held_at": None}) | Q(**{f"{since}__lte": Now() - longest()})


def kept(conversation: str = "", since: str = "purge_after") -> Q:
    """What was deleted at `since`, and is held still."""
    held = Q(**{f"{conversation}held_at__isnull": False})
    return held & Q(**{f"{since}__gt": Now() - longest()})


def erased_by(conversation: Conversation) -> datetime | None:
    """The latest moment at which its words go, were it deleted now or if it is; None: not held."""
    if not (conversation.held_at and settings.HOLD_MAX_DAYS):
        return None
    return (conversation.purge_after or timezone.now()) + longest()


def held(whose: Q) -> QuerySet[Conversation]:
    """Those of them that a deletion would only hide."""
    if not settings.HOLD_MAX_DAYS:
        return Conversation.objects.none()
    return Conversation.objects.filter(whose, held_at__isnull=False)
