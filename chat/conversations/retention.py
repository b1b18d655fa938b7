"""Sites that keep what their visitors said for so many days only, counted from the last message."""

import uuid
from datetime import timedelta

from django.utils import timezone

from chat.conversations.models import Conversation
from chat.sites.models import Site

AT_ONCE = 200


def outdated() -> list[uuid.UUID]:
    """Conversations to remove, so many at a time; empty once there are no more."""
    kept = Site.objects.exclude(retention_days=None).values_list("pk", "retention_days")
    for site_id, days in kept:
        before = timezone.now() - timedelta(days=days or 0)
        found = Conversation.objects.filter(owner__visitor__site=site_id, updated_at__lt=before)
        if ids := list(found.values_list("pk", flat=True)[:AT_ONCE]):
            return ids
    return []


def remove(conversation_ids: list[uuid.UUID]) -> None:
    """For good, with all that was said there."""
    Conversation.objects.filter(pk__in=conversation_ids).delete()
