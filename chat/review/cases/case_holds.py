"""Place chats on legal hold: what their owner deletes is hidden at once but purged later.

A staff member or an open case holds a chat; it is held until the last of them releases it. The
effect on deletions is in chat/conversations/legal_hold.py, which lower layers read.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models import ProtectedError, Q
from django.db.models.signals import pre_delete
from django.utils import timezone

from chat.conversations.legal_hold import purgeable
from chat.conversations.models import Conversation
from chat.review.case_models import Case, Flag

REASON_LENGTH = 60
STAFF = "staff"  # held by a staff member


class LegalHold(models.Model):
    """One reason to hold a chat: `STAFF`, or the name of another holder, such as `case 12`."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="holds")
    reason = models.CharField(max_length=REASON_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "reason"], name="one_hold_of_a_reason")
        ]

    def __str__(self) -> str:
        return f"{self.reason} holds {self.conversation_id}"


@transaction.atomic
def hold(conversation: UUID, reason: str = STAFF) -> bool:
    """Hold the chat, even if its owner has deleted it; return False if already held for this."""
    _, is_new = LegalHold.objects.get_or_create(conversation_id=conversation, reason=reason)
    Conversation.all_objects.filter(pk=conversation, held_at=None).update(held_at=timezone.now())
    return is_new


def hold_for(case: Case) -> None:
    """Hold the chat if one of the case's flags demands it: not bad ratings, nor some rules."""
    is_held = ~Q(source=Flag.Source.THUMB) & ~Q(rule__holds_chats=False)
    if case.flags.filter(is_held).exists():
        hold(case.conversation_id, str(case))


@transaction.atomic
def release(conversation: UUID, reason: str = STAFF) -> bool:
    """Release the chat; once nothing holds it, what was deleted is purged.

    Return False if it was not held for this reason.
    """
    count, _ = LegalHold.objects.filter(conversation=conversation, reason=reason).delete()
    if not LegalHold.objects.filter(conversation=conversation).exists():
        Conversation.all_objects.filter(pk=conversation).update(held_at=None)
    return bool(count)


def has_evidence(whose: Q) -> bool:
    """Return True if one of these chats is on legal hold or in a case that staff are working on.

    Cases with nothing but bad ratings that nobody has claimed do not count; they are deleted with
    their chat.
    """
    needed = Q(held_at__isnull=False) | Q(cases__state=Case.State.IN_WORK)
    return Conversation.all_objects.filter(whose).filter(needed).exists()


def is_erasable(conversation: Conversation) -> bool:
    """Return True if nothing holds the chat, or it has been held for the maximum time."""
    if not settings.HOLD_MAX_DAYS:
        return True
    return Conversation.all_objects.filter(purgeable(), pk=conversation.pk).exists()


def prevent_deletion() -> None:
    """Refuse to delete chats on legal hold. Call once, when the app is ready."""
    pre_delete.connect(_refuse_to_delete, sender=Conversation)


def _refuse_to_delete(instance: Conversation, **_: Any) -> None:
    """Refuse every deletion, including that of its owner's account or website, or by a command."""
    if not is_erasable(instance):
        raise ProtectedError("a chat is held, and cannot be deleted", {instance})


def is_held_by_staff(conversation: UUID) -> bool:
    return LegalHold.objects.filter(conversation=conversation, reason=STAFF).exists()
