"""Log which staff member saw what of whom, when and why."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import connection, transaction

from chat.review.models import DETAIL_LENGTH, AccessLogEntry
from chat.review.staff.roles import Reviewer, Right, Role, reloaded

Kind = AccessLogEntry.Kind
#: What the detail of an entry begins with that a program has caused.
BY_PROGRAM = "service key "


@dataclass(frozen=True, slots=True)
class StaffContext:
    """A staff member and their reason for access."""

    reviewer: Reviewer
    reason: str = ""
    #: The service key that reads in their name; empty: they read themselves.
    program: str = ""

    def renewed(self, needed: Role | Right) -> "StaffContext":
        """Return this with what the staff member may do now, for work that outlasts a request.

        Raise `NotFound` if they may no longer do what is `needed`.
        """
        return replace(self, reviewer=reloaded(self.reviewer, needed))


@dataclass(frozen=True, slots=True)
class Seen:
    """What was shown: a conversation or one of its messages.

    Without an owner, it concerns many people at once, or nobody.
    """

    owner_id: int | None = None
    conversation_id: UUID | None = None
    message_id: int | None = None


def record_access(
    staff_context: StaffContext, kind: AccessLogEntry.Kind, seen: Iterable[Seen], detail: str = ""
) -> None:
    """Add an entry for each, in the transaction that reads it. Raise `RuntimeError` outside one."""
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
                detail=", ".join(filter(None, (detail, staff_context.program)))[:DETAIL_LENGTH],
            )
            for each in seen
        ]
    )


@transaction.atomic
def record_export(staff_context: StaffContext, file_name: str) -> None:
    """Log the export of a file that names people. Call before any of it is sent."""
    record_access(staff_context, Kind.EXPORTED, [Seen()], file_name)


@transaction.atomic
def record_profile(staff_context: StaffContext, person_id: int) -> None:
    """Log that the page of a person was opened."""
    record_access(staff_context, Kind.VIEWED, [Seen(person_id)])


@transaction.atomic
def record_site(staff_context: StaffContext, name: str) -> None:
    """Log that the page of a website was opened, which is about all of its visitors."""
    record_access(staff_context, Kind.VIEWED, [Seen()], name)


@transaction.atomic
def record_empty_search(staff_context: StaffContext) -> None:
    """Log a search without results; the query itself is not logged."""
    record_access(staff_context, Kind.SEARCHED, [Seen()])
