"""Notices to staff, and each member's delivery preferences."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User

WEBHOOK_LENGTH = 200


class StaffNotice(models.Model):
    """One notice to one staff member, listed in their pages. It contains nothing of the chat."""

    class Kind(models.TextChoices):
        ASSIGNED = "assigned", _("A case was assigned to you.")
        MENTIONED = "mentioned", _("A note mentions you.")
        SEVERE = "severe", _("A case has high severity.")
        UNCLAIMED = "unclaimed", _("A case of high severity is still unassigned.")

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_notices")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    conversation = models.UUIDField()
    is_read = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["person", "-id"], name="staff_notices_newest_first")]

    def __str__(self) -> str:
        return f"notice {self.pk}"


class NoticeChoices(models.Model):
    """How one staff member is told; without a row, in their pages and by mail."""

    person = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="notice_choices"
    )
    # Is told of cases of high severity; None: leads are (duty.py).
    is_on_duty = models.BooleanField(null=True, default=None)
    by_mail = models.BooleanField(default=True)
    webhook_url = models.CharField(max_length=WEBHOOK_LENGTH, blank=True)
    webhook_secret = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"choices of user {self.person_id}"
