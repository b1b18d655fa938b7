"""The record of who of the staff was shown what of whose, when and why. It only grows."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from chat.review.models import AccessLogEntry
from chat.review.staff.roles import Reviewer

Kind = AccessLogEntry.Kind


@dataclass(frozen=True, slots=True)
class StaffContext:
    """One of the staff, and why they look."""

    reviewer: Reviewer
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was shown: something of this conversation, maybe of one message only.

    Without an owner it was something of many people at once, or of nobody.
    """

    owner_id: int | None = None
    conversation_id: UUID | None = None
    message_id: int | None = None


def record(
    staff_context: StaffContext, kind: AccessLogEntry.Kind, seen: Iterable[Seen], detail: str = ""
) -> None:
    """Adds a row for each, in the transaction that fetches what is shown: both or neither."""
    if not connection.in_atomic_block:
        raise RuntimeError("what is shown to the staff is recorded in one transaction with it")
    AccessLogEntry.objects.bulk_create(
        [
            AccessLogEntry(
                reader=staff_context.reviewer.user_id,
                owner=each.owner_id,
                conversation=each.conversation_id,
                message=each.message_id,
                kind=kind,
                reason=staff_context.reason,
                detail=detail,
            )
            for each in seen
        ]
    )


@transaction.atomic
def record_export(staff_context: StaffContext, file_name: str) -> None:
    """Add a row for a file that names people; call it before anything of it is sent."""
    record(staff_context, Kind.EXPORTED, [Seen()], file_name)


@transaction.atomic
def record_empty_search(staff_context: StaffContext) -> None:
    """Add a row for a search without a hit; what was looked for is nobody's business."""
    record(staff_context, Kind.SEARCHED, [Seen()])
