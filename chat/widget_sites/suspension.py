"""Suspend a site, for a time or indefinitely: its chat is hidden and its open streams end.

Always saves the model, so that account_changes.py logs who did it.
"""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from chat.database.housekeeping import isolated, left_out
from chat.widget_sites.models import WidgetSite

TASK = "reinstate_website"
_FIELDS = ("is_suspended", "suspended_until")


def suspend(site: WidgetSite, until: datetime | None) -> None:
    site.is_suspended, site.suspended_until = True, until
    site.save(update_fields=_FIELDS)


@transaction.atomic
def restore(site: WidgetSite) -> bool:
    """Reinstate the site; return True if it was suspended."""
    was_suspended = (
        WidgetSite.objects.select_for_update().filter(pk=site.pk, is_suspended=True).exists()
    )
    if was_suspended:
        site.is_suspended, site.suspended_until = False, None
        site.save(update_fields=_FIELDS)
    return was_suspended


def reinstate_due() -> int:
    """Reinstate sites whose suspension has expired; return how many."""
    due = WidgetSite.objects.filter(is_suspended=True, suspended_until__lte=Now())
    count = 0
    for site in due.exclude(pk__in=left_out(TASK)):
        with isolated(TASK, site.pk):
            count += restore(site)
    return count
