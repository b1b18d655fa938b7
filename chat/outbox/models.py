"""The one table of what is to be delivered."""

from uuid import uuid4

from django.db import models
from django.utils import timezone

ERROR_LENGTH = 100


class Delivery(models.Model):
    """One thing for one recipient. It names what it is about by IDs, and contains no text of it.

    The row is deleted once it is delivered, and kept for some days if it was given up.
    """

    # Also sent, so that a receiver recognizes what it gets twice.
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=40)  # deliver.py
    # Groups take turns: one may have many deliveries, and be slow.
    group = models.CharField(max_length=40, blank=True)
    recipient = models.CharField(max_length=40, blank=True)
    content = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    # When to deliver it, or to try again. None: this is the last attempt, or it was given up.
    due_at = models.DateTimeField(default=timezone.now, null=True)
    # A process delivers it, and has so long to do so.
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    is_uncertain = models.BooleanField(default=False)  # all of it was sent once, without an answer
    last_error = models.CharField(max_length=ERROR_LENGTH, blank=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "due_at"], name="deliveries_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
