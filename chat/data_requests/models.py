"""Store requests of people for their data, and what became of them."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

REASON_LENGTH = 200


class DataRequest(models.Model):
    """A person's request for a copy of their data, or for its erasure.

    It holds IDs of accounts, not foreign keys, and no name, so it outlives the account and proves
    what was done.
    """

    class Kind(models.TextChoices):
        COPY = "copy", _("Copy of the data")
        ERASURE = "erasure", _("Erasure")

    class State(models.TextChoices):
        OPEN = "open", _("Not answered yet")
        ERASING = "erasing", _("Being erased")
        DONE = "done", _("Done")
        DECLINED = "declined", _("Declined")

    person = models.BigIntegerField()
    kind = models.CharField(max_length=7, choices=Kind.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    received_on = models.DateField()
    due_on = models.DateField()
    created_at = models.DateTimeField(default=timezone.now)
    # When staff were told that it is due soon, and that it is overdue (reminders.py).
    reminded_at = models.DateTimeField(null=True)
    overdue_told_at = models.DateTimeField(null=True)
    # Of an erasure: when the account was closed, and how much it had then (erasure.py).
    erased_at = models.DateTimeField(null=True)
    counts = models.JSONField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)  # for declining it

    class Meta:
        indexes = [
            models.Index(fields=["state", "due_on"], name="data_requests_by_due_day"),
            models.Index(fields=["person", "-id"], name="data_requests_by_person"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "kind"],
                condition=models.Q(state__in=("open", "erasing")),
                name="one_open_data_request_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return f"data request {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state in {self.State.OPEN, self.State.ERASING}

    @property
    def is_overdue(self) -> bool:
        return self.state == self.State.OPEN and self.due_on < timezone.localdate()
