"""Store staff warnings, which are shown until the user confirms reading them."""

from django.db import models
from django.db.models import OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.errors import NotFound

WARNING_LENGTH = 1000


class ModerationWarning(models.Model):
    """One warning. Its author and reason are in the log of staff actions."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="warnings")
    text = models.TextField(max_length=WARNING_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        verbose_name = _("warning")

    def __str__(self) -> str:
        return f"warning {self.pk}"


def unread_of(user_id: int | OuterRef) -> QuerySet[ModerationWarning]:
    """Return the warnings that the user must be shown, oldest first."""
    warnings = ModerationWarning.objects.filter(person=user_id, read_at=None, withdrawn_at=None)
    return warnings.order_by("id")


def mark_read(user_id: int, warning_id: int) -> None:
    """Mark the user's own warning as read, keeping the first time. Raise `NotFound`."""
    warnings = ModerationWarning.objects.filter(pk=warning_id, person=user_id)
    if not warnings.exists():
        raise NotFound
    warnings.filter(read_at=None).update(read_at=timezone.now())


def move_warnings(from_user_id: int, to_user_id: int) -> None:
    """Move a visitor's warnings to the known visitor they turned out to be (visitor_merge.py)."""
    ModerationWarning.objects.filter(person=from_user_id).update(person=to_user_id)
