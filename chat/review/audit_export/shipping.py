"""Follow the tables of the audit log, and send what is new: in order, and at least once.

The position is stored after a batch was taken, so a crash repeats a batch and loses none. No action
of the staff waits for it, and an entry waits as long as the target is away.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Model, Value
from django.db.models.functions import Coalesce, Greatest, Now
from django.utils import timezone

from chat.database import threads
from chat.outbox import claim
from chat.review.access_log.staff_actions import StaffAction
from chat.review.audit_export.errors import TargetUnavailable
from chat.review.audit_export.lines import AuditLine, line_of
from chat.review.audit_export.models import AuditExport
from chat.review.audit_export.targets import target_of
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.staff_notices import notify

log = logging.getLogger(__name__)

#: Columns of the position, with their tables and the times of entries.
LOGS: dict[str, tuple[type[Model], str]] = {
    "access": (AccessLogEntry, "at"),
    "actions": (StaffAction, "at"),
    "seals": (AuditSeal, "created_at"),
}
AT_ONCE = 500
BATCHES_AT_ONCE = 20
LEASE = timedelta(minutes=2)
RETRY_AFTER = timedelta(minutes=1)
#: Auditors are told of a failure that lasts longer.
TOLERATED = timedelta(hours=1)
#: PostgreSQL gives out IDs before transactions end, so a missing one may still come. After this
#: time it never will: its transaction was rolled back.
GAP_SETTLES = timedelta(minutes=10)
ROW = 1


@dataclass(frozen=True, slots=True)
class AuditBatch:
    """Lines to send, and the position after them."""

    lines: Sequence[AuditLine] = ()
    positions: dict[str, int] = field(default_factory=dict)


async def ship_due() -> None:
    """Send what is new, if no other process does. Run every few seconds."""
    if not settings.AUDIT_LOG_TO:
        return
    if not await threads.readers.run(has_new) or not await threads.writer.run(_claim):
        return
    for _batch in range(BATCHES_AT_ONCE):
        batch = await threads.readers.run(_next_batch)
        if not batch.lines:
            break
        try:
            await asyncio.to_thread(target_of(settings.AUDIT_LOG_TO).send, batch.lines)
        except TargetUnavailable as error:
            await threads.writer.run(_fail, error)
            return
        await threads.writer.run(_advance, batch)
    await threads.writer.run(_release)


def has_new() -> bool:
    """Return whether any entry is not sent yet, even if it has to wait for one before it."""
    stored = _position()
    return any(
        model._default_manager.filter(pk__gt=getattr(stored, name)).exists()
        for name, (model, _at) in LOGS.items()
    )


def waiting_since() -> datetime | None:
    """Return since when the oldest entry waits; None: all are sent."""
    stored = _position()
    first = [
        model._default_manager.filter(pk__gt=getattr(stored, name))
        .order_by("pk")
        .values_list(at, flat=True)
        .first()
        for name, (model, at) in LOGS.items()
    ]
    return min((each for each in first if each), default=None)


@transaction.atomic
def tell_of_failure() -> bool:
    """Tell auditors and administrators once that nothing can be sent. Run every minute."""
    failing = AuditExport.objects.filter(
        pk=ROW, told_at=None, failing_since__lte=timezone.now() - TOLERATED
    )
    if not (settings.AUDIT_LOG_TO and failing.update(told_at=timezone.now())):
        return False
    notify.of_unsent_log()
    return True


def _position() -> AuditExport:
    return AuditExport.objects.filter(pk=ROW).first() or AuditExport(pk=ROW)


def _claim() -> bool:
    AuditExport.objects.bulk_create([AuditExport(pk=ROW)], ignore_conflicts=True)
    return claim.take(AuditExport.objects.filter(pk=ROW), LEASE)


def _next_batch() -> AuditBatch:
    stored = _position()
    lines: list[AuditLine] = []
    positions: dict[str, int] = {}
    for name, (model, at) in LOGS.items():
        after = getattr(stored, name)
        rows = list(model._default_manager.filter(pk__gt=after).order_by("pk")[:AT_ONCE])
        if settled := _without_gaps(rows, after, at):
            lines += map(line_of, settled)
            positions[name] = settled[-1].pk
    return AuditBatch(lines, positions)


def _without_gaps(rows: list[Any], after: int, at: str) -> list[Any]:
    """Return the rows up to a missing ID that may still come."""
    until = timezone.now() - GAP_SETTLES
    for number, row in enumerate(rows):
        if row.pk != after + 1 and getattr(row, at) > until:
            return rows[:number]
        after = row.pk
    return rows


def _advance(batch: AuditBatch) -> None:
    """Store the position, and keep the claim for the next batch.

    A process that was so slow that another one took over sends some lines twice, and moves the
    position back for none.
    """
    AuditExport.objects.filter(pk=ROW).update(
        **{name: Greatest(F(name), Value(last)) for name, last in batch.positions.items()},
        claimed_until=Now() + LEASE,
        sent_at=Now(),
        failing_since=None,
        told_at=None,
        error="",
    )


def _release() -> None:
    AuditExport.objects.filter(pk=ROW).update(claimed_until=None)


def _fail(error: TargetUnavailable) -> None:
    log.warning("the audit log couldn't be sent to AUDIT_LOG_TO: %s", error)
    AuditExport.objects.filter(pk=ROW).update(
        claimed_until=Now() + RETRY_AFTER,
        failing_since=Coalesce(F("failing_since"), Now()),
        error=str(error)[:100],
    )
