from django.db import models


class AuditExport(models.Model):
    """How far the audit log was sent: the last ID of each of its tables. There is one row."""

    access = models.BigIntegerField(default=0)
    actions = models.BigIntegerField(default=0)
    seals = models.BigIntegerField(default=0)
    # A process sends some now, or waits after a failure.
    claimed_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # Since when nothing can be sent, and why; None: the last attempt succeeded.
    failing_since = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)  # when auditors were told of this failure
    error = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return f"audit export {self.pk}"
