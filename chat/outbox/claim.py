"""Claim deliveries, and record what became of them, safely with any number of processes.

Each statement names the attempt, which a claim counts up, so only one process has it. One that took
too long, and lost its claim, changes nothing any more.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone

from chat.database.housekeeping import delete_all, describe
from chat.outbox.errors import DeliveryFailed, DeliveryRefused, DeliveryUncertain
from chat.outbox.models import ERROR_LENGTH, Delivery

log = logging.getLogger(__name__)

#: After each failed attempt; after one more it is given up.
RETRY_AFTER = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 480))
MAX_ATTEMPTS = len(RETRY_AFTER) + 1
#: How long one can see what was given up, and why.
KEPT = timedelta(days=7)


def kinds_due() -> set[str]:
    """Return the kinds that have something which nobody delivers yet."""
    return set(_claimable().order_by().values_list("kind", flat=True).distinct())


def due(kind: str, at_once: int) -> list[Delivery]:
    """Return what nobody delivers yet: the first one of each group, then the second ones."""
    place = Window(RowNumber(), partition_by=F("group"), order_by="due_at")
    rows = _claimable().filter(kind=kind).annotate(place=place)
    return list(rows.order_by("place", "due_at")[:at_once])


def claim(delivery: Delivery, lease: timedelta) -> bool:
    """Return whether this process is to deliver it. If it dies, another one may after `lease`."""
    rows = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts, due_at__lte=Now())
    delivery.attempts += 1
    due_at = None if delivery.attempts >= MAX_ATTEMPTS else F("due_at")
    return take(rows, lease, attempts=delivery.attempts, due_at=due_at)


def take(rows: QuerySet[Any], lease: timedelta, **changes: Any) -> bool:
    """Claim the row, in any table with `claimed_until`; return False if another process has it."""
    return bool(rows.filter(_is_free()).update(claimed_until=Now() + lease, **changes))


def finish(delivery: Delivery) -> None:
    """Remove what was delivered."""
    _claimed(delivery).delete()


def fail(delivery: Delivery, error: Exception) -> bool:
    """Try again later, unless the error or the number of attempts says otherwise.

    Return whether it is given up.
    """
    is_uncertain = isinstance(error, DeliveryUncertain)
    if is_uncertain and delivery.is_uncertain:
        finish(delivery)  # it has probably arrived twice
        return False
    limit = error.attempts if isinstance(error, DeliveryRefused) else MAX_ATTEMPTS
    is_over = delivery.attempts >= min(limit, MAX_ATTEMPTS)
    # Texts of other errors may quote what somebody wrote.
    reason = str(error) if isinstance(error, DeliveryFailed) else describe(error)
    log.warning("%s %s: %s", delivery, "was given up" if is_over else "failed", reason)
    is_ours = _claimed(delivery).update(
        due_at=None if is_over else Now() + RETRY_AFTER[delivery.attempts - 1],
        claimed_until=None,
        is_uncertain=is_uncertain or delivery.is_uncertain,
        last_error=reason[:ERROR_LENGTH],
    )
    return is_over and bool(is_ours)


def is_given_up(delivery: Delivery) -> bool:
    """Return whether it is not tried again, nor is its last attempt still running."""
    return delivery.due_at is None and delivery.claimed_until is None


def interrupted(kinds: Iterable[str]) -> QuerySet[Delivery]:
    """Return what is not tried again because the process of its last attempt died."""
    return Delivery.objects.filter(kind__in=kinds, due_at=None, claimed_until__lt=Now())


def give_up_interrupted(delivery: Delivery) -> bool:
    """Record that its last attempt is over; return False if another process has."""
    ours = _claimed(delivery).filter(due_at=None, claimed_until__lt=Now())
    return bool(ours.update(claimed_until=None, last_error="interrupted"))


def remove_old() -> None:
    """Remove what was given up long ago. Run every minute."""
    given_up = Delivery.objects.filter(due_at=None, claimed_until=None)
    delete_all(given_up.filter(created_at__lt=timezone.now() - KEPT))


def _is_free() -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lt=Now())


def _claimable() -> QuerySet[Delivery]:
    return Delivery.objects.filter(_is_free(), due_at__lte=Now())


def _claimed(delivery: Delivery) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
