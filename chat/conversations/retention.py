"""Sites that keep what their visitors said for so many days only, counted from the last message."""

from datetime import timedelta

from django.db.models.functions import Now
from django.utils import timezone

from chat.conversations.models import Conversation
from chat.widget_sites.models import WidgetSite


def hide_outdated() -> int:
    """Deletes like a person who cannot undo it: hidden at once, then swept away. How many."""
    kept = WidgetSite.objects.exclude(retention_days=None).values_list("pk", "retention_days")
    hidden = 0
    for site_id, days in kept:
        before = timezone.now() - timedelta(days=days or 0)
        found = Conversation.objects.filter(owner__visitor__site=site_id, updated_at__lt=before)
        hidden += found.update(purge_after=Now())
    return hidden
