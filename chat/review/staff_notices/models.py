"""Define what staff members are told, and how they choose to be told."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.webhooks.retries import Delivery

WEBHOOK_LENGTH = 200


class StaffNotice(Delivery):
    """One notice to one staff member. It names a chat, and nothing that was said in it.

    It is listed in the person's pages; `due_at` is for mail and webhook together.
    """

    class Kind(models.TextChoices):
        ASSIGNED = "assigned", _("A case was assigned to you.")
        MENTIONED = "mentioned", _("A note mentions you.")
        SEVERE = "severe", _("A case has high severity.")

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_notices")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    conversation = models.UUIDField()
    is_read = models.BooleanField(default=False)
    mailed = models.BooleanField(default=False)  # so that a failed webhook sends no second mail

    class Meta:
        indexes = [models.Index(fields=["person", "-id"], name="staff_notices_newest_first")]

    def __str__(self) -> str:
        return f"notice {self.pk}"


class NoticeChoices(models.Model):
    """How one staff member is told; without a row, in their pages and by mail."""

    person = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="notice_choices"
    )
    is_on_duty = models.BooleanField(default=False)  # is told of cases of high severity
    by_mail = models.BooleanField(default=True)
    webhook_url = models.CharField(max_length=WEBHOOK_LENGTH, blank=True)
    webhook_secret = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"choices of user {self.person_id}"
