"""Apply the retention periods of widget sites, in days since a conversation's last message."""

from datetime import timedelta

from django.utils import timezone

from chat.conversations import list_state
from chat.conversations.models import Conversation
from chat.database.housekeeping import for_all
from chat.widget_sites.models import WidgetSite


def delete_expired() -> int:
    """Delete outdated conversations of visitors, without undo; return how many."""
    kept = WidgetSite.objects.exclude(retention_days=None).values_list("pk", "retention_days")
    hidden = 0
    for site_id, days in kept:
        before = timezone.now() - timedelta(days=days or 0)
        expired = Conversation.objects.filter(owner__visitor__site=site_id, updated_at__lt=before)
        hidden += for_all(expired, list_state.hide_all)
    return hidden
