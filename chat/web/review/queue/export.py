"""Export the queue as CSV or JSON Lines, streamed while sent."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

from chat.accounts.models import User
from chat.lib import json_lines
from chat.lib.personal_data.placeholders import Placeholders
from chat.review import case_reading
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag
from chat.review.case_reading import Evidence
from chat.review.cases import queue
from chat.review.cases.queue import CaseFilter, FlagTally
from chat.review.personal_data_models import kinds_of
from chat.review.staff import privacy
from chat.review.staff.roles import Role
from chat.site_settings import effective
from chat.web.http.files import csv_file
from chat.web.review.transcript.presenters import reason_label


class ExportedText(Enum):
    """Which texts of chats are part of an export; false for none."""

    NONE = ""
    PLAIN = "plain"
    MASKED = "masked"  # with placeholders for personal data

    def __bool__(self) -> bool:
        return self is not ExportedText.NONE


PLAIN = (
    "case", "chat", "person", "state", "outcome", "severity", "opened", "claimed_by",
    "resolved", "resolved_by", "chat_erased", "flags", "sources", "rules", "reasons",
    "personal_data",
)  # fmt: skip
SAID = ("title", "resolved_because", "flagged_because", "said")


def cases_as_csv(
    staff_context: StaffContext, case_filter: CaseFilter, text: ExportedText
) -> Iterator[bytes]:
    names = PLAIN + SAID if text else PLAIN
    yield csv_file.head(names).encode()
    for some in _rows(staff_context, case_filter, text):
        yield b"".join(_line([_cell(row[name]) for name in names]) for row in some)


def cases_as_jsonl(
    staff_context: StaffContext, case_filter: CaseFilter, text: ExportedText
) -> Iterator[bytes]:
    for some in _rows(staff_context, case_filter, text):
        yield json_lines.lines(some)


WRITERS = {"csv": cases_as_csv, "jsonl": cases_as_jsonl}


def _rows(
    staff_context: StaffContext, case_filter: CaseFilter, text: ExportedText
) -> Iterator[list[dict[str, Any]]]:
    """Yield a page of the queue at a time; exported text is logged with each page."""
    place, least = None, Role.LEAD if text else Role.REVIEWER
    while True:
        staff_context = staff_context.renewed(least)
        ids, place = queue.page(staff_context.reviewer, case_filter, place)
        tallies = queue.tallies(ids)
        if text:
            evidence = case_reading.read_evidence(staff_context, ids)
            rows = _rows_of(staff_context, [each.case for each in evidence], tallies)
            pairs = zip(rows, evidence, strict=True)
            yield [row | _texts_of(each, text) for row, each in pairs]
        else:
            cases = queue.without_text(staff_context.reviewer, ids)
            yield _rows_of(staff_context, cases, tallies)
        if place is None:
            return


def _rows_of(
    staff_context: StaffContext, cases: list[Case], tallies: dict[int, list[FlagTally]]
) -> list[dict[str, Any]]:
    owners = case_reading.owners_of(cases)
    kinds = case_reading.personal_data_of(cases)
    return [
        _row(staff_context, each, owners.get(each.owner_id), tallies.get(each.pk, []))
        | {"personal_data": kinds.get(each.pk, [])}
        for each in cases
    ]


def _row(
    staff_context: StaffContext, case: Case, owner: User | None, tallies: list[FlagTally]
) -> dict[str, Any]:
    return {
        "case": case.pk,
        "chat": str(case.chat_id),
        "person": privacy.shown_user(staff_context.reviewer, owner).name,
        "state": Case.State(case.state).name.lower(),
        "outcome": case.outcome,
        "severity": case.severity,
        "opened": case.opened_at.isoformat(),
        "claimed_by": str(case.assignee or ""),
        "resolved": case.resolved_at.isoformat() if case.resolved_at else "",
        "resolved_by": str(case.resolved_by or ""),
        "chat_erased": case.erased_at.isoformat() if case.erased_at else "",
        "flags": sum(each.count for each in tallies),
        "sources": _unique(Flag.Source(each.source).name.lower() for each in tallies),
        "rules": _unique(each.rule for each in tallies),
        "reasons": _unique(reason_label(each.reason) for each in tallies),
    }


def _texts_of(evidence: Evidence, text: ExportedText) -> dict[str, Any]:
    case = evidence.case
    flags = case.newest_flags
    kinds = kinds_of([each.pk for each in evidence.messages])
    shown = _shown_text(text)
    return {
        "title": shown(case.conversation.title if case.conversation else ""),
        "resolved_because": shown(case.resolution_note),
        "flagged_because": [shown(each.comment) for each in flags if each.comment],
        "said": [
            {
                "role": each.role,
                "at": each.created_at.isoformat(),
                "text": shown(each.text),
                "personal_data": sorted(kinds.get(each.pk, {})),
            }
            for each in evidence.messages
        ],
    }


def _shown_text(text: ExportedText) -> Callable[[str], str]:
    """Return what is done with each text of one case."""
    if text is ExportedText.MASKED:
        return Placeholders(effective.phone_region()).mask
    return str


def _unique(words: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(each for each in words if each))


def _line(cells: Iterable[str]) -> bytes:
    return csv_file.row(cells).encode()


def _cell(value: Any) -> str:
    """Return lists as paragraphs; messages start with their role."""
    if isinstance(value, list):
        value = "\n\n".join(
            f"{each['role']}: {each['text']}" if isinstance(each, dict) else each for each in value
        )
    return str(value)
