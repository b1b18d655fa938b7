"""Tell when the data was backed up last, and until when the audit log is sealed."""

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.utils import timezone

from chat.review.models import AuditSeal
from project import private_files

#: Touched by whatever makes backups.
BACKUP_MARK = "last_backup"


@dataclass(frozen=True, slots=True)
class SealStatus:
    days: int
    last_day: date | None
    is_late: bool  # a day that should be sealed is not


def record_backup() -> None:
    """Note that a backup has just succeeded."""
    mark = settings.DATA_DIR / BACKUP_MARK
    with open(mark, "ab", opener=private_files.opener):
        os.utime(mark)


def last_backup() -> datetime | None:
    """Return the time of the file `last_backup` in DATA_DIR; None if there is none."""
    try:
        return datetime.fromtimestamp((settings.DATA_DIR / BACKUP_MARK).stat().st_mtime, UTC)
    except OSError:
        return None


def seal_status() -> SealStatus:
    """Return what is sealed, without verifying it, which reads everything."""
    last = AuditSeal.objects.order_by("-day").values_list("day", flat=True).first()
    # Yesterday is sealed at one o'clock, and each process looks every minute.
    due = (timezone.now() - timedelta(hours=2)).astimezone(UTC).date() - timedelta(days=1)
    return SealStatus(AuditSeal.objects.count(), last, last is not None and last < due)
