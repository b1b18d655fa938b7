"""Notices to staff, what alerts are about, and each member's delivery preferences."""

from uuid import UUID

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.webhooks.attempts import WebhookAttempt

WEBHOOK_LENGTH = 200
#: The conversation of a notice that is about none.
NO_CONVERSATION = UUID(int=0)


class Alert(models.Model):
    """What administrators are told once about the whole site. It names no member."""

    class Kind(models.TextChoices):
        BUDGET = "budget"
        FAILING = "failing"

    kind = models.CharField(max_length=7, choices=Kind.choices)
    # Of a budget: the key of its meter, when its month began, and its limit.
    meter = models.CharField(max_length=150, blank=True)
    month = models.DateTimeField(null=True)
    microdollars = models.BigIntegerField(default=0)
    # Of a budget: the share that is spent; of answers: the share that may fail.
    percent = models.PositiveSmallIntegerField()
    is_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["meter", "month", "microdollars", "percent"],
                condition=models.Q(kind="budget"),
                name="one_alert_of_a_budget",
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=models.Q(kind="failing", is_over=False),
                name="one_alert_while_answers_fail",
            ),
        ]

    def __str__(self) -> str:
        return f"alert {self.pk}"


class StaffNotice(models.Model):
    """One notice to one staff member, listed in their pages. It contains nothing of a chat."""

    class Kind(models.TextChoices):
        ASSIGNED = "assigned", _("A case was assigned to you.")
        MENTIONED = "mentioned", _("A note mentions you.")
        REPLIED = "replied", _("Somebody replied to a note of yours.")
        SEVERE = "severe", _("A case has high severity.")
        UNCLAIMED = "unclaimed", _("A case of high severity is still unassigned.")
        BUDGET = "budget", _("Much of a spending limit is used.")
        FAILING = "failing", _("Many answers are failing.")
        WORKING = "working", _("Answers are working again.")
        DUE = "due", _("A request for personal data is due soon.")
        OVERDUE = "overdue", _("A request for personal data is overdue.")
        UNSENT = "unsent", _("The audit log doesn't reach its target.")

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_notices")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    # Not null, because the previous version links to it.
    conversation = models.UUIDField(default=NO_CONVERSATION)
    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, null=True)
    due_on = models.DateField(null=True)  # of a request for personal data
    is_read = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["person", "-id"], name="staff_notices_newest_first")]

    def __str__(self) -> str:
        return f"notice {self.pk}"

    @property
    def is_about_chat(self) -> bool:
        return self.conversation != NO_CONVERSATION


class CaseWebhook(models.Model):
    """Where events of all cases are sent; without a row, nowhere."""

    url = models.CharField(max_length=WEBHOOK_LENGTH)
    secret = models.CharField(max_length=64)
    updated_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class CaseWebhookAttempt(WebhookAttempt):
    """One attempt to send an event of a case, for administrators."""

    event = models.CharField(max_length=20)
    case = models.BigIntegerField(null=True)  # None: a test


class NoticeChoices(models.Model):
    """How one staff member is told; without a row, in their pages and by mail."""

    person = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="notice_choices"
    )
    # Is told of cases of high severity; None: leads are (duty.py).
    is_on_duty = models.BooleanField(null=True, default=None)
    by_mail = models.BooleanField(default=True)
    # The costs of each month, after its end; the month in which they were mailed last.
    costs_by_mail = models.BooleanField(default=False, db_default=False)
    costs_mailed_in = models.DateField(null=True)
    webhook_url = models.CharField(max_length=WEBHOOK_LENGTH, blank=True)
    webhook_secret = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"choices of user {self.person_id}"
