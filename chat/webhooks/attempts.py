"""Keep what became of each request to a webhook, for the people who have set its address."""

from datetime import timedelta
from typing import TypeVar

from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from chat.database.housekeeping import delete_all
from chat.outbox.models import ERROR_LENGTH, Delivery

KEPT = timedelta(days=30)
SHOWN = 50


class WebhookAttempt(models.Model):
    """One attempt to send an event. It has no text of a chat. Each table adds whose it is."""

    number = models.PositiveSmallIntegerField()
    error = models.CharField(max_length=ERROR_LENGTH, blank=True)  # empty: it was accepted
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"webhook attempt {self.pk}"


A = TypeVar("A", bound=WebhookAttempt)


def keep(attempt: WebhookAttempt, delivery: Delivery, error: str) -> None:
    """Store an attempt, and why it failed; empty: it was accepted."""
    attempt.number, attempt.error = delivery.attempts, error[:ERROR_LENGTH]
    attempt.save()


def newest(attempts: QuerySet[A]) -> list[A]:
    """Return the last attempts, newest first."""
    return list(attempts.order_by("-pk")[:SHOWN])


def remove_old() -> None:
    """Remove old attempts of all webhooks. Run every minute."""
    before = timezone.now() - KEPT
    for model in WebhookAttempt.__subclasses__():
        delete_all(model._default_manager.filter(created_at__lt=before))
