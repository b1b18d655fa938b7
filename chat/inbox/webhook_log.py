"""Keep what became of each request to a site's webhook, for its owners."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from chat.database.housekeeping import delete_all
from chat.inbox.models import InboxWebhookAttempt
from chat.outbox.models import ERROR_LENGTH, Delivery
from chat.widget_sites.models import WidgetSite

KEPT = timedelta(days=30)
SHOWN = 50


@dataclass(frozen=True, slots=True)
class LoggedAttempt:
    """An attempt, and when the next one of the same request is due; None: there is none."""

    attempt: InboxWebhookAttempt
    next_at: datetime | None


def keep(delivery: Delivery, error: str) -> None:
    """Store an attempt, and why it failed; empty: it was accepted."""
    if WidgetSite.objects.filter(pk=delivery.group).exists():
        InboxWebhookAttempt.objects.create(
            site_id=delivery.group,
            delivery=delivery.pk,
            event=delivery.content["event"],
            number=delivery.attempts,
            error=error[:ERROR_LENGTH],
        )


def attempts_of(site: WidgetSite) -> list[LoggedAttempt]:
    """Return the last attempts, newest first."""
    attempts = list(site.webhook_attempts.order_by("-pk")[:SHOWN])
    waiting = Delivery.objects.in_bulk([each.delivery for each in attempts])
    logged = []
    for each in attempts:
        delivery = waiting.get(each.delivery)
        is_last = delivery is not None and delivery.attempts == each.number
        logged.append(LoggedAttempt(each, delivery.due_at if delivery and is_last else None))
    return logged


def remove_old() -> None:
    """Remove old attempts. Run every minute."""
    delete_all(InboxWebhookAttempt.objects.filter(created_at__lt=timezone.now() - KEPT))
