"""Place chats on legal hold: what their owner deletes is hidden at once but purged later.

A staff member or a case holds a chat. Deciding a case erases nothing: a confirmed case keeps its
hold, and a dismissed one keeps it for `RELEASED_DAYS`, like a hold that staff lift. So each of
these can be undone. The effect on deletions is in chat/conversations/legal_hold.py, which lower
layers read.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q
from django.db.models.signals import pre_delete
from django.utils import timezone

from chat.conversations.legal_hold import latest_purge_at, purgeable
from chat.conversations.models import Conversation
from chat.review.case_models import Case, Flag

REASON_LENGTH = 60
STAFF = "staff"  # held by a staff member
RELEASED_DAYS = 7  # how long a hold goes on after its case was dismissed, or after it was lifted
RELEASED_AT_ONCE = 500


class LegalHold(models.Model):
    """One reason to hold a chat: `STAFF`, or the name of another holder, such as `case 12`."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="holds")
    reason = models.CharField(max_length=REASON_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True)  # None: when staff decide

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "reason"], name="one_hold_of_a_reason")
        ]
        indexes = [
            models.Index(
                fields=["ends_at"],
                condition=models.Q(ends_at__isnull=False),
                name="legal_holds_that_end",
            )
        ]

    def __str__(self) -> str:
        return f"{self.reason} holds {self.conversation_id}"


@transaction.atomic
def hold(conversation: UUID, reason: str = STAFF) -> bool:
    """Hold the chat, even if its owner has deleted it; return False if already held for this."""
    _lock(conversation)
    made, is_new = LegalHold.objects.get_or_create(conversation_id=conversation, reason=reason)
    if made.ends_at is not None:
        LegalHold.objects.filter(pk=made.pk).update(ends_at=None)
    Conversation.all_objects.filter(pk=conversation, held_at=None).update(held_at=timezone.now())
    return is_new or made.ends_at is not None


def hold_for(case: Case) -> None:
    """Hold the chat if one of the case's flags demands it: not bad ratings, nor some rules."""
    if case.conversation_id and case.flags.filter(is_holding()).exists():
        hold(case.conversation_id, str(case))


def is_holding() -> Q:
    """Match flags that place their chat on legal hold."""
    # The rule is asked, too: the previous version doesn't store what it says.
    by_rule = Q(holds_chat=True) & ~Q(rule__holds_chats=False)
    return ~Q(source=Flag.Source.THUMB) & by_rule


def release(conversation: UUID, *reasons: str) -> bool:
    """Let these holds end in `RELEASED_DAYS`, until when `hold` renews them.

    Return False if the chat was not held for one of these reasons.
    """
    held = LegalHold.objects.filter(conversation=conversation, reason__in=reasons, ends_at=None)
    return bool(held.update(ends_at=released_until()))


def released_until() -> datetime:
    """Return when a hold ends that is released now."""
    return timezone.now() + timedelta(days=RELEASED_DAYS)


def end_due() -> int:
    """End released holds whose time is over; return of how many chats. Run every minute."""
    due = LegalHold.objects.filter(ends_at__lte=timezone.now()).order_by("ends_at")
    chats = set(due.values_list("conversation", flat=True)[:RELEASED_AT_ONCE])
    for each in sorted(chats):
        _end_due_of(each)
    return len(chats)


@transaction.atomic
def _end_due_of(conversation: UUID) -> None:
    _lock(conversation)
    holds = LegalHold.objects.filter(conversation=conversation)
    holds.filter(ends_at__lte=timezone.now()).delete()
    if not holds.exists():
        Conversation.all_objects.filter(pk=conversation).update(held_at=None)


def _lock(conversation: UUID) -> None:
    """Lock the chat's row: its column `held_at` says whether there is any hold."""
    conversations = Conversation.all_objects.select_for_update(no_key=True).filter(pk=conversation)
    conversations.values_list("pk", flat=True).first()


def lift(conversation: UUID) -> bool:
    """Release the chat as a staff member: their own hold, and those of resolved cases.

    Return False if neither held it.
    """
    return release(conversation, STAFF, *_resolved_cases(conversation))


def is_liftable(conversation: UUID) -> bool:
    """Return True if `lift` would release the chat."""
    reasons = [STAFF, *_resolved_cases(conversation)]
    held = LegalHold.objects.filter(conversation=conversation, reason__in=reasons, ends_at=None)
    return held.exists()


def _resolved_cases(conversation: UUID) -> list[str]:
    return [
        str(each)
        for each in Case.objects.filter(conversation=conversation, state=Case.State.RESOLVED)
    ]


def purge_at(conversation: Conversation, *, without: Case | None = None) -> datetime | None:
    """Return when a chat that its owner deleted is purged, as far as is known now.

    If given, as though the case `without` were dismissed now.
    """
    if conversation.purge_after is None:
        return None
    latest = latest_purge_at(conversation) or conversation.purge_after
    holds = dict(conversation.holds.values_list("reason", "ends_at"))
    if without is not None and holds.get(str(without), latest) is None:
        holds[str(without)] = released_until()
    ends = [each or latest for each in holds.values()]
    return max(conversation.purge_after, min(latest, max(ends, default=latest)))


def has_evidence(whose: Q) -> bool:
    """Return True if one of these chats is on legal hold or in a case that staff are working on.

    Cases with nothing but bad ratings that nobody has claimed do not count, nor do holds that were
    released and go on for a few days.
    """
    holds = LegalHold.objects.filter(conversation=OuterRef("pk"), ends_at=None)
    needed = Exists(holds) | Q(cases__state=Case.State.IN_WORK)
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
