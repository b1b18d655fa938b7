"""Suspend a site, for a time or indefinitely: its chat is hidden and its open streams end.

Always saves the model, so that account_changes.py logs who did it.
"""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from chat.widget_sites.models import WidgetSite

_FIELDS = ("is_suspended", "suspended_until")


def suspend(site: WidgetSite, until: datetime | None) -> None:
    site.is_suspended, site.suspended_until = True, until
    site.save(update_fields=_FIELDS)


@transaction.atomic
def restore(site: WidgetSite) -> bool:
    """Reinstate the site; return True if it was suspended."""
    found = WidgetSite.objects.select_for_update().filter(pk=site.pk, is_suspended=True).exists()
    if found:
        site.is_suspended, site.suspended_until = False, None
        site.save(update_fields=_FIELDS)
    return found


def reinstate_due() -> int:
    """Reinstate sites whose suspension has expired; return how many."""
    found = WidgetSite.objects.filter(is_suspended=True, suspended_until__lte=Now())
    return sum(restore(site) for site in found)
