"""Write cases for programs."""

from collections.abc import Sequence
from typing import Any

from chat.accounts.models import User
from chat.review import case_reading
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag
from chat.review.cases import queue
from chat.review.cases.queue import CaseFilter, FlagTally
from chat.review.staff import privacy
from chat.web.review.service_api.conversations import (
    CASE_STATES,
    flag_out,
    message_out,
    moment,
    user_out,
)


def cases_page(
    staff_context: StaffContext, case_filter: CaseFilter, after: tuple[int, int] | None
) -> tuple[list[dict[str, Any]], str]:
    """Return a page of cases with the titles of their chats, and the next one's cursor."""
    ids, following = queue.page(staff_context.reviewer, case_filter, after)
    tallies = queue.tallies(ids)
    cases = case_reading.read_cases(staff_context, ids)
    owners = case_reading.owners_of(cases)
    rows = [_case(staff_context, each, owners, tallies.get(each.pk, ())) for each in cases]
    return rows, f"{following[0]},{following[1]}" if following else ""


def whole_case(staff_context: StaffContext, case_id: int) -> dict[str, Any] | None:
    """Return a case with its flags and their messages, as staff export it; None: no such case."""
    evidence = next(iter(case_reading.read_evidence(staff_context, [case_id])), None)
    if evidence is None:
        return None
    case = evidence.case
    row = _case(
        staff_context, case, case_reading.owners_of([case]), queue.tallies([case.pk])[case.pk]
    )
    return row | {
        "resolution_note": case.resolution_note,
        "flags": [flag_out(staff_context, each) for each in case.newest_flags],
        "messages": [message_out(each) for each in evidence.messages],
    }


def _case(
    staff_context: StaffContext,
    case: Case,
    owners: dict[int, User],
    tallies: Sequence[FlagTally],
) -> dict[str, Any]:
    owner = privacy.shown_user(staff_context.reviewer, owners.get(case.owner_id))
    return {
        "object": "case",
        "id": case.pk,
        "conversation": str(case.chat_id),
        "title": case.conversation.title if case.conversation else None,
        "person": user_out(owner),
        "state": CASE_STATES[case.state],
        "outcome": case.outcome or None,
        "severity": case.severity,
        "opened_at": moment(case.opened_at),
        "assigned_to": _colleague(case.assignee),
        "resolved_at": moment(case.resolved_at),
        "resolved_by": _colleague(case.resolved_by),
        "erased_at": moment(case.erased_at),
        "flagged": [
            {
                "source": Flag.Source(each.source).name.lower(),
                "rule": each.rule or None,
                "reason": each.reason or None,
                "count": each.count,
            }
            for each in tallies
        ],
    }


def _colleague(person: User | None) -> dict[str, Any] | None:
    return {"id": str(person.pk), "name": str(person)} if person else None
