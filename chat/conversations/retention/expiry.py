"""Delete conversations whose time is over, in batches, so that no other write waits for long."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.conversations.retention import periods
from chat.database.housekeeping import for_all, left_out
from chat.widget_sites.models import WidgetSite

AT_ONCE = 500


def delete_expired() -> int:
    """Delete a batch of outdated conversations, without undo; return how many, 0 at the end."""
    hidden = 0
    for each in (*_of_visitors(), *periods.expired(periods.current())):
        hidden += _delete_some(each)
    return hidden


def _of_visitors() -> Iterator[QuerySet[Conversation]]:
    kept = WidgetSite.objects.exclude(retention_days=None).values_list("pk", "retention_days")
    for site_id, days in kept:
        before = timezone.now() - timedelta(days=days or 0)
        yield Conversation.objects.filter(owner__visitor__site=site_id, updated_at__lt=before)


def _delete_some(outdated: QuerySet[Conversation]) -> int:
    failing = left_out(Conversation._meta.db_table)
    due = outdated.exclude(pk__in=failing).values_list("pk", flat=True)
    ids = list(due[:AT_ONCE])
    # The condition is repeated, because one of them may have been used meanwhile.
    return for_all(outdated.filter(pk__in=ids), list_state.hide_all) if ids else 0
