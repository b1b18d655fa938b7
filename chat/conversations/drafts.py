"""Drafts: chats that nobody sees while they are imported or copied, in many small transactions.

A statement publishes them once they are complete. If the process that makes them dies, they are
purged at once, so that they don't take up their owner's storage.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from chat.conversations.models import Conversation
from chat.errors import Conflict
from chat.lib import process_identity

#: If nobody can tell whether the process still runs.
GIVEN_UP_AFTER = timedelta(hours=1)


class DraftGone(Conflict):
    """The process was taken for dead, and its drafts are being purged."""

    code, status, retryable = "draft_gone", 503, True
    text = _("This was interrupted, and nothing was saved. Try again.")


def create(**facts: Any) -> Conversation:
    """Create a draft."""
    return Conversation.all_objects.create(
        purge_after=Now() + GIVEN_UP_AFTER, draft_of=process_identity.worker_id, **facts
    )


def publish(drafts: QuerySet[Conversation], count: int, **facts: Any) -> int:
    """Show these drafts, and return how many. Call it in a transaction.

    Raise `DraftGone` if there are not `count` of them any more.
    """
    complete = drafts.filter(purge_after__gt=Now())
    if complete.update(purge_after=None, draft_of=None, **facts) != count:
        raise DraftGone
    return count


def abandon(drafts: QuerySet[Conversation]) -> None:
    """Leave drafts to the purge."""
    drafts.filter(purge_after__gt=Now()).update(purge_after=Now())


def abandon_all_but(workers: Collection[int]) -> None:
    """Leave the drafts of all other processes to the purge."""
    abandon(Conversation.all_objects.filter(draft_of__isnull=False).exclude(draft_of__in=workers))


def abandoned_by(user_id: int) -> Q:
    """Match the drafts of this member that are being purged."""
    return Q(owner=user_id, draft_of__isnull=False, purge_after__lte=Now())
