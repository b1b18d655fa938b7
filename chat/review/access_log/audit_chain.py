"""Seal the audit log daily, so that changed, missing or added entries can be detected.

A seal is a digest of one day's entries and of the previous seal, signed with a key that is not in
the database. An attacker with both could forge seals, and one with the database could remove the
last ones; so each seal is also written to a file outside (seal_file.py), which takes precedence.
"""

import hashlib
import hmac
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from chat.review.access_log import seal_file
from chat.review.access_log.seal_file import WrittenSeal
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.utc_days import ONE_DAY, day_of, end_of, start_of

log = logging.getLogger(__name__)

# By then, requests that began before midnight have stored their entries.
SETTLES = timedelta(hours=1)
AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a sealed day; `problem` is empty if its entries match the seal."""

    seal: AuditSeal
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the audit log is sealed."""

    days: int
    rows: int
    rows_not_sealed: int


def seal_days() -> list[AuditSeal]:
    """Seal all past days that are not sealed, and write all seals to the file.

    Return the new seals. Every process does this (chat/apps.py).
    """
    made = _seal_due()
    _write_down()
    return made


def _seal_due() -> list[AuditSeal]:
    """Seal the days that are due. Days are unique, so only one of several processes succeeds."""
    last = AuditSeal.objects.order_by("day").last()
    day = last.day + ONE_DAY if last else _first_day()
    made: list[AuditSeal] = []
    while day and end_of(day) + SETTLES <= timezone.now():
        rows, digest = digest_of(day, last)
        try:
            with transaction.atomic():
                last = AuditSeal.objects.create(day=day, rows=rows, digest=digest)
        except DatabaseError:
            if AuditSeal.objects.filter(day=day).exists():  # another process was faster
                return made
            raise
        log.info("sealed %s with %d entries: %s", day, rows, digest)
        made.append(last)
        day += ONE_DAY
    return made


def _write_down() -> None:
    """Add missing seals to the file outside the database."""
    try:
        seal_file.add_missing(_written(each) for each in AuditSeal.objects.order_by("day"))
    except OSError as error:
        log.error("seals couldn't be written to AUDIT_SEALS_PATH: %s", error.strerror)


def coverage() -> Coverage:
    """Count the sealed and unsealed entries."""
    seals = list(AuditSeal.objects.values_list("day", "rows"))
    sealed, count = (
        sum(rows for _day, rows in seals),
        AccessLogEntry.objects.count() + StaffAction.objects.count(),
    )
    return Coverage(len(seals), sealed, count - sealed)


def verify() -> Iterator[Verdict]:
    """Yield a verdict for each seal in order, then for seals that only the file has."""
    yield from _verify_chain()
    yield from _verify_written()


def _verify_written() -> Iterator[Verdict]:
    present = {_written(each) for each in AuditSeal.objects.all()}
    for each in seal_file.read():
        if each not in present:
            words = "in the seal file, but missing from the database"
            yield Verdict(AuditSeal(day=each.day, rows=0, digest=each.digest), words)


def _written(seal: AuditSeal) -> WrittenSeal:
    return WrittenSeal(seal.day, seal.digest)


def _verify_chain() -> Iterator[Verdict]:
    last: AuditSeal | None = None
    for seal in AuditSeal.objects.order_by("day"):
        rows, digest = digest_of(seal.day, last)
        problem = ""
        if last and seal.day != last.day + ONE_DAY:
            problem = "an earlier seal is missing"
        elif not last and (first := _first_day()) and first < seal.day:
            problem = "earlier entries are not sealed"
        elif rows != seal.rows:
            problem = f"sealed with {seal.rows} entries, but has {rows}"
        elif not hmac.compare_digest(digest, seal.digest):
            problem = "its entries or its seal have changed"
        yield Verdict(seal, problem)
        last = seal


def digest_of(day: date, last: AuditSeal | None) -> tuple[int, str]:
    """Return how many entries the day has, and its signed digest."""
    signed = hmac.new(_key(), f"{day.isoformat()} {last.digest if last else ''}".encode(), "sha256")
    count = 0
    for row in _rows(start_of(day), end_of(day)):
        count += 1
        signed.update(hashlib.sha256(row.encode()).digest())
    return count, signed.hexdigest()


def _rows(since: datetime, until: datetime) -> Iterator[str]:
    """Yield a unique text for each entry of the period: access log first, then staff actions."""
    for model in (AccessLogEntry, StaffAction):
        rows = model.objects.filter(at__gte=since, at__lt=until).order_by("id")
        yield from map(_text_of, rows.iterator(AT_ONCE))


def facts_of(entry: AccessLogEntry | StaffAction) -> dict[str, Any]:
    """Return what all files and programs get of an entry; each adds who it names, and how."""
    return {
        "id": entry.pk,
        "at": entry.at.isoformat(),
        "kind": entry.kind,
        "conversation": str(entry.conversation) if entry.conversation else None,
        "message": entry.message,
        "reason": entry.reason,
    }


def entry_digest(entry: AccessLogEntry | StaffAction) -> str:
    """Return the digest of one entry, of which the seal of its day is made."""
    return hashlib.sha256(_text_of(entry).encode()).hexdigest()


def _text_of(entry: AccessLogEntry | StaffAction) -> str:
    reason, detail = entry.reason.encode().hex(), entry.detail.encode().hex()
    if isinstance(entry, AccessLogEntry):
        return _as_text(
            entry.pk, entry.at, entry.reader, entry.owner, entry.conversation, entry.message,
            entry.kind, reason, *([detail] if detail else []),
        )  # fmt: skip
    return _as_text(
        "action", entry.pk, entry.at, entry.actor, entry.kind, entry.person, entry.conversation,
        entry.message, entry.site, reason, detail,
    )  # fmt: skip


def _as_text(*values: object) -> str:
    return "|".join(_text(each) for each in values)


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return str(value)


def _first_day() -> date | None:
    first = [
        AccessLogEntry.objects.order_by("at").first(),
        StaffAction.objects.order_by("at").first(),
    ]
    return min((day_of(each.at) for each in first if each), default=None)


def _key() -> bytes:
    return b"runnel.audit_chain" + (settings.AUDIT_KEY or settings.SECRET_KEY).encode()
