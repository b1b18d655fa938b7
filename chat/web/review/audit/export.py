"""Export the access log and staff actions as CSV or JSON Lines, streamed while sent."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.db.models import QuerySet

from chat.lib import json_lines
from chat.review.access_log import queries as log_queries
from chat.review.access_log.audit_chain import facts_of
from chat.review.access_log.queries import LogFilter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import AccessLogEntry
from chat.review.staff.roles import Reviewer, Right
from chat.web.http.files import csv_file
from chat.web.review.audit.presenters import access_log_rows, staff_action_rows

AT_ONCE = 500
ACCESS_LOG = ("id", "at", "who", "whose", "conversation", "message", "kind", "reason", "detail")
STAFF_ACTIONS = (
    "id", "at", "who", "kind", "whom", "website", "conversation", "message", "reason", "detail",
)  # fmt: skip
Line = dict[str, Any]
Row = TypeVar("Row", AccessLogEntry, StaffAction)


def access_log(staff_context: StaffContext, wanted: LogFilter) -> Iterator[list[Line]]:
    """Yield pages of access log entries, newest first."""
    for now, rows in _pages(staff_context, lambda reviewer: log_queries.rows_for(reviewer, wanted)):
        yield [_read(each) for each in access_log_rows(now, rows)]


def staff_actions(staff_context: StaffContext, wanted: LogFilter) -> Iterator[list[Line]]:
    """Yield pages of staff actions, newest first."""
    for now, rows in _pages(
        staff_context, lambda reviewer: log_queries.actions_for(reviewer, wanted)
    ):
        yield [_staff_action(each) for each in staff_action_rows(now, rows)]


def as_csv(columns: tuple[str, ...], pages: Iterator[list[Line]]) -> Iterator[bytes]:
    yield csv_file.head(columns).encode()
    for lines in pages:
        yield "".join(csv_file.row(each[name] for name in columns) for each in lines).encode()


def as_jsonl(_columns: tuple[str, ...], pages: Iterator[list[Line]]) -> Iterator[bytes]:
    for lines in pages:
        yield json_lines.lines(lines)


def _pages(
    staff_context: StaffContext, rows_for: Callable[[Reviewer], "QuerySet[Row]"]
) -> Iterator[tuple[StaffContext, list[Row]]]:
    """Query page by page, and raise `NotFound` once the reader has lost the role."""
    before: int | None = None
    while True:
        now = staff_context.renewed(Right.AUDIT_LOG)
        rows = rows_for(now.reviewer)
        page = list((rows if before is None else rows.filter(id__lt=before))[:AT_ONCE])
        yield now, page
        if len(page) < AT_ONCE:
            return
        before = page[-1].pk


def _read(shown: dict[str, Any]) -> Line:
    row: AccessLogEntry = shown["row"]
    return facts_of(row) | {
        "who": _name(shown["reader"], row.reader),
        "whose": _name(shown["owner"], row.owner),
        "detail": row.detail,
    }


def _staff_action(shown: dict[str, Any]) -> Line:
    row: StaffAction = shown["row"]
    return facts_of(row) | {
        "who": _name(shown["actor"], row.actor),
        "whom": _name(shown["person"], row.person),
        "website": str(shown["site"] or ""),
        "detail": shown["detail"],
    }


def _name(known: object | None, number: int | None) -> str:
    """Return the name as the page shows it, or the ID of a deleted user."""
    return str(known) if known else f"#{number}" if number else ""
