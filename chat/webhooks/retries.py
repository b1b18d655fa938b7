"""Deliver each row once: a process claims it until its next try is due."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

#: After a failure; then it is given up. The first is also how long a process may take.
RETRY_AFTER = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 480))


class Delivery(models.Model):
    """Something to deliver, at once and again after failures."""

    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    # When to deliver it, or to try again; None: delivered or given up.
    due_at = models.DateTimeField(default=timezone.now, null=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True

    def claim(self) -> bool:
        """Return whether this process is to deliver it; another one tries again if it dies."""
        ours = type(self)._default_manager.filter(pk=self.pk, due_at=self.due_at)
        return bool(ours.update(due_at=_next_try(self.tries), tries=self.tries + 1))

    def finish(self) -> None:
        type(self)._default_manager.filter(pk=self.pk).update(due_at=None)

    @property
    def was_last_try(self) -> bool:
        """Return whether a failure of the try that it was claimed for ends them."""
        return self.tries == len(RETRY_AFTER)


def _next_try(tries: int) -> datetime | None:
    return timezone.now() + RETRY_AFTER[tries] if tries < len(RETRY_AFTER) else None
