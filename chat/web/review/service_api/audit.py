"""Write entries of the access log and staff actions for programs, with their digests."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, TypeVar

from django.db.models import QuerySet

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.review.access_log import queries as log_queries
from chat.review.access_log.audit_chain import entry_digest, facts_of
from chat.review.access_log.queries import LogFilter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import AccessLogEntry, AuditSeal
from chat.review.staff import privacy
from chat.review.utc_days import day_of
from chat.web.review.audit.presenters import shown_detail
from chat.web.review.service_api.conversations import user_out

AT_ONCE = 100
Entry = TypeVar("Entry", AccessLogEntry, StaffAction)
AuditPage = tuple[list[dict[str, Any]], str]


def access_page(
    staff_context: StaffContext, wanted: LogFilter, after: int | None, *, oldest_first: bool
) -> AuditPage:
    rows = log_queries.rows_for(staff_context.reviewer, wanted)
    return _page(rows, after, oldest_first, lambda some: _accesses(staff_context, some))


def actions_page(
    staff_context: StaffContext, wanted: LogFilter, after: int | None, *, oldest_first: bool
) -> AuditPage:
    rows = log_queries.actions_for(staff_context.reviewer, wanted)
    return _page(rows, after, oldest_first, lambda some: _actions(staff_context, some))


def seals_page(after: int | None) -> AuditPage:
    """Return the seals of days, oldest first."""
    seals = AuditSeal.objects.filter(pk__gt=after or 0).order_by("pk")[: AT_ONCE + 1]
    rows = [
        {"object": "seal", "day": each.day.isoformat(), "entries": each.rows, "digest": each.digest}
        for each in seals[:AT_ONCE]
    ]
    return rows, str(seals[AT_ONCE - 1].pk) if len(seals) > AT_ONCE else ""


def _page(
    rows: QuerySet[Entry],
    after: int | None,
    oldest_first: bool,
    written: Callable[[list[Entry]], list[dict[str, Any]]],
) -> AuditPage:
    if after is not None:
        rows = rows.filter(pk__gt=after) if oldest_first else rows.filter(pk__lt=after)
    found = list(rows.order_by("pk" if oldest_first else "-pk")[: AT_ONCE + 1])
    shown = found[:AT_ONCE]
    return written(shown), str(shown[-1].pk) if len(found) > AT_ONCE else ""


def _accesses(staff_context: StaffContext, rows: list[AccessLogEntry]) -> list[dict[str, Any]]:
    people = privacy.load_users({each.reader for each in rows} | {each.owner or 0 for each in rows})
    seals = _seals_of(rows)
    return [
        {
            "object": "access",
            **_about(each, seals),
            "reader": _colleague(each.reader, people),
            "owner": _person(staff_context, each.owner, people),
            "detail": each.detail,
        }
        for each in rows
    ]


def _actions(staff_context: StaffContext, rows: list[StaffAction]) -> list[dict[str, Any]]:
    people = privacy.load_users({each.actor for each in rows} | {each.person or 0 for each in rows})
    seals = _seals_of(rows)
    return [
        {
            "object": "action",
            **_about(each, seals),
            "actor": _colleague(each.actor, people),
            "person": _person(staff_context, each.person, people),
            "website": each.site,
            "detail": shown_detail(staff_context, each),
        }
        for each in rows
    ]


def _about(entry: AccessLogEntry | StaffAction, seals: dict[date, str]) -> dict[str, Any]:
    return {
        **facts_of(entry),
        "digest": entry_digest(entry),
        "seal": seals.get(day_of(entry.at)),
    }


def _seals_of(rows: Sequence[AccessLogEntry | StaffAction]) -> dict[date, str]:
    """Return the digest of each sealed day that these entries are from."""
    days = {day_of(each.at) for each in rows}
    return dict(AuditSeal.objects.filter(day__in=days).values_list("day", "digest"))


def _colleague(user_id: int, people: dict[int, User]) -> dict[str, Any]:
    """Return a staff member by ID; without a name if the account was deleted."""
    person = people.get(user_id)
    name = "System" if user_id == SERVER else str(person) if person else None
    return {"id": user_id, "name": name}


def _person(
    staff_context: StaffContext, user_id: int | None, people: dict[int, User]
) -> dict[str, Any] | None:
    person = people.get(user_id or 0)
    return user_out(privacy.shown_user(staff_context.reviewer, person)) if person else None
