"""Chats that are held: what their owner deletes is hidden at once, and erased later.

Somebody of the staff holds a chat, or a case does; it is held until the last of them lets it go.
What that means for a deletion is in chat/conversations/legal_hold.py, which layers below read.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models import ProtectedError, Q
from django.db.models.signals import pre_delete
from django.utils import timezone

from chat.conversations.legal_hold import may_go
from chat.conversations.models import Conversation
from chat.review.case_models import Case

REASON_LENGTH = 60
STAFF = "staff"  # somebody said so


class LegalHold(models.Model):
    """One reason to hold a chat: `STAFF`, or what else names one, as `case 12`."""

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
    """False if it was held for this reason already. Also of what its owner has deleted."""
    _, is_new = LegalHold.objects.get_or_create(conversation_id=conversation, reason=reason)
    Conversation.all_objects.filter(pk=conversation, held_at=None).update(held_at=timezone.now())
    return is_new


@transaction.atomic
def release(conversation: UUID, reason: str = STAFF) -> bool:
    """False if nothing held it for this reason. What was deleted meanwhile goes with the last."""
    count, _ = LegalHold.objects.filter(conversation=conversation, reason=reason).delete()
    if not LegalHold.objects.filter(conversation=conversation).exists():
        Conversation.all_objects.filter(pk=conversation).update(held_at=None)
    return bool(count)


def has_evidence(whose: Q) -> bool:
    """Return whether the staff holds one of these chats, or works on a case about one.

    A case of thumbs down alone that nobody has begun with is none: it goes with its chat.
    """
    needed = Q(held_at__isnull=False) | Q(cases__state=Case.State.IN_WORK)
    return Conversation.all_objects.filter(whose).filter(needed).exists()


def is_erasable(conversation: Conversation) -> bool:
    """Return whether nothing holds it any more, or it is held as long as it may be."""
    if not settings.HOLD_MAX_DAYS:
        return True
    return Conversation.all_objects.filter(may_go(), pk=conversation.pk).exists()


def protect() -> None:
    """Call it once, when the app is ready: from then on nothing deletes what is held."""
    pre_delete.connect(_refuse_to_delete, sender=Conversation)


def _refuse_to_delete(instance: Conversation, **_: Any) -> None:
    """Whatever deletes it: also an account, a website or a command."""
    if not is_erasable(instance):
        raise ProtectedError("a chat is held, and cannot be deleted", {instance})


def is_held_by_staff(conversation: UUID) -> bool:
    return LegalHold.objects.filter(conversation=conversation, reason=STAFF).exists()
