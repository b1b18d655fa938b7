"""Present the access log and staff actions to leads."""

from typing import Any

from django.utils.translation import gettext as _

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.review.access_log import queries as log_queries
from chat.review.access_log.queries import LogFilter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import AccessLogEntry
from chat.review.staff import privacy
from chat.widget_sites.models import WidgetSite

PAGE_LENGTH = 100


def access_log_context(
    staff_context: StaffContext, wanted: LogFilter, before: int | None
) -> dict[str, Any]:
    entries = log_queries.rows_for(staff_context.reviewer, wanted)
    rows = list((entries if before is None else entries.filter(id__lt=before))[: PAGE_LENGTH + 1])
    return {
        "rows": access_log_rows(staff_context, rows[:PAGE_LENGTH]),
        "next": rows[PAGE_LENGTH - 1].pk if len(rows) > PAGE_LENGTH else None,
        "is_first": before is None,
    }


def access_log_rows(
    staff_context: StaffContext, rows: list[AccessLogEntry]
) -> list[dict[str, Any]]:
    ids = {each.reader for each in rows} | {each.owner for each in rows if each.owner}
    people = privacy.load_users(ids)
    return [_row(staff_context, each, people) for each in rows]


def _row(
    staff_context: StaffContext, row: AccessLogEntry, people: dict[int, User]
) -> dict[str, Any]:
    owner = people.get(row.owner or 0)
    return {
        "row": row,
        "kind": AccessLogEntry.Kind(row.kind).label,
        "reader": people.get(row.reader),
        "owner": privacy.shown_user(staff_context.reviewer, owner) if owner else None,
    }


def staff_actions_context(
    staff_context: StaffContext, wanted: LogFilter, before: int | None
) -> dict[str, Any]:
    actions = log_queries.actions_for(staff_context.reviewer, wanted)
    rows = list((actions if before is None else actions.filter(id__lt=before))[: PAGE_LENGTH + 1])
    return {
        "rows": staff_action_rows(staff_context, rows[:PAGE_LENGTH]),
        "next": rows[PAGE_LENGTH - 1].pk if len(rows) > PAGE_LENGTH else None,
        "is_first": before is None,
    }


def staff_action_rows(staff_context: StaffContext, rows: list[StaffAction]) -> list[dict[str, Any]]:
    ids = {each.actor for each in rows} | {each.person for each in rows if each.person}
    people = privacy.load_users(ids)
    sites = WidgetSite.all_objects.in_bulk({each.site for each in rows if each.site})
    return [_staff_action(staff_context, each, people, sites) for each in rows]


def _staff_action(
    staff_context: StaffContext,
    row: StaffAction,
    people: dict[int, User],
    sites: dict[int, WidgetSite],
) -> dict[str, Any]:
    person = people.get(row.person or 0)
    return {
        "row": row,
        "kind": StaffAction.Kind(row.kind).label,
        "actor": _("System") if row.actor == SERVER else people.get(row.actor),
        "person": privacy.shown_user(staff_context.reviewer, person) if person else None,
        "site": sites.get(row.site or 0),
        "detail": shown_detail(staff_context, row),
    }


def shown_detail(staff_context: StaffContext, row: StaffAction) -> str:
    """Return the detail; hide the email address that old invitation entries contain."""
    is_address = row.kind == StaffAction.Kind.INVITED and "@" in row.detail
    return "" if is_address and not privacy.sees_names(staff_context.reviewer) else row.detail
