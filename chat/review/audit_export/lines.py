"""Write entries of the audit log as JSON, one on each line, with the digests of their seals."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chat.review.access_log.audit_chain import entry_digest
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry, AuditSeal

Row = AccessLogEntry | StaffAction | AuditSeal


@dataclass(frozen=True, slots=True)
class AuditLine:
    """An entry as text without line breaks, in ASCII."""

    log: str  # access, action or seal
    at: datetime
    text: str


def line_of(row: Row) -> AuditLine:
    """Return the line of an entry. It names people by number, as the entry does."""
    log, at = _kind_of(row)
    content = {"log": log, "id": row.pk, "at": at.isoformat(), **_content(row)}
    return AuditLine(log, at, json.dumps(content, ensure_ascii=True, separators=(",", ":")))


def _kind_of(row: Row) -> tuple[str, datetime]:
    if isinstance(row, AuditSeal):
        return "seal", row.created_at
    return "access" if isinstance(row, AccessLogEntry) else "action", row.at


def _content(row: Row) -> dict[str, Any]:
    if isinstance(row, AuditSeal):
        return {"day": row.day.isoformat(), "entries": row.rows, "digest": row.digest}
    who: dict[str, Any] = (
        {"reader": row.reader, "owner": row.owner}
        if isinstance(row, AccessLogEntry)
        else {"actor": row.actor, "person": row.person, "website": row.site}
    )
    return {
        "kind": row.kind,
        **who,
        "conversation": str(row.conversation) if row.conversation else None,
        "message": row.message,
        "reason": row.reason,
        "detail": row.detail,
        "digest": entry_digest(row),
    }
