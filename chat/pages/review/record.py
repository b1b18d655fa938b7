"""The record as those who lead see it: who looked at what of whose, when and why."""

from typing import Any

from chat.accounts.models import User
from chat.review import privacy, record
from chat.review.audit import Look
from chat.review.models import Read

PAGE_LENGTH = 100


def page_of_record(
    look: Look, *, before: int | None, reader: int | None, only_opened: bool
) -> dict[str, Any]:
    found = record.rows_for(look.reviewer, only_opened=only_opened)
    if before is not None:
        found = found.filter(id__lt=before)
    if reader is not None:
        found = found.filter(reader=reader)
    rows = list(found[: PAGE_LENGTH + 1])
    shown = rows[:PAGE_LENGTH]
    people = _people({each.reader for each in shown} | {each.owner for each in shown})
    return {
        "rows": [_row(look, each, people) for each in shown],
        "next": shown[-1].pk if len(rows) > len(shown) else None,
        "is_first": before is None,
        "reader": reader,
        "only_opened": only_opened,
    }


def _people(ids: set[int]) -> dict[int, User]:
    return User.everyone.select_related("visitor__site").in_bulk(ids)


def _row(look: Look, row: Read, people: dict[int, User]) -> dict[str, Any]:
    owner = people.get(row.owner)
    return {
        "row": row,
        "kind": Read.Kind(row.kind).label,
        "reader": people.get(row.reader),
        "owner": privacy.shown(look.reviewer, owner) if owner and not owner.left_at else None,
    }
