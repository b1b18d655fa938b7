"""Write entries of the audit log as JSON, one on each line, with the digests of their seals."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chat.review.access_log.audit_chain import entry_digest, facts_of
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
    at = row.created_at if isinstance(row, AuditSeal) else row.at
    content = _seal(row) if isinstance(row, AuditSeal) else _entry(row)
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return AuditLine(content["log"], at, text)


def _seal(seal: AuditSeal) -> dict[str, Any]:
    return {
        "log": "seal",
        "id": seal.pk,
        "at": seal.created_at.isoformat(),
        "day": seal.day.isoformat(),
        "entries": seal.rows,
        "digest": seal.digest,
    }


def _entry(row: AccessLogEntry | StaffAction) -> dict[str, Any]:
    facts = facts_of(row)
    first = {name: facts.pop(name) for name in ("id", "at", "kind")}
    log, who = (
        ("access", {"reader": row.reader, "owner": row.owner})
        if isinstance(row, AccessLogEntry)
        else ("action", {"actor": row.actor, "person": row.person, "website": row.site})
    )
    rest = {"detail": row.detail, "digest": entry_digest(row)}
    return {"log": log, **first, **who, **facts, **rest}
