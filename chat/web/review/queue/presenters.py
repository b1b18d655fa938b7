"""Present the queue: cases with their flags, and actions on several cases."""

import re
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.accounts.models import User
from chat.errors import BadRequest
from chat.review import case_reading
from chat.review.access_log import queries as log_queries
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.case_models import Case, Severity
from chat.review.cases import holds, queue, workflow
from chat.review.cases.queue import CaseFilter, FlagTally
from chat.review.ratings import tasks
from chat.review.staff import privacy
from chat.review.staff.readers import readers_of_any
from chat.review.staff.roles import Role
from chat.web.http.js_catalog import catalog
from chat.web.http.query_params import query_of
from chat.web.http.zoned_time import zoned
from chat.web.review.http.bulk_actions import last_changed, remember_for_undo
from chat.web.review.http.facet_forms import SOURCE_NAMES
from chat.web.review.queue.forms import AssignForm, CaseFilterForm, ResolveForm
from chat.web.review.transcript.presenters import reason_label

QUEUE_KEY = "review_queue"  # session key of the last queue that the staff member viewed
UNDO_KEY = "review_undo"  # session key of the cases that were last resolved, and when
PLACE = re.compile(r"([1-3]),([0-9]{1,18})")


def queue_context(request: HttpRequest, staff_context: StaffContext) -> dict[str, Any]:
    """Return the template context for the filters in the query and `?from=`."""
    form = CaseFilterForm(request.GET, staff_context.reviewer)
    query = query_of(request, CaseFilterForm.base_fields)
    context: dict[str, Any] = {
        "form": form,
        "query": query,
        "counts": queue.counts(staff_context.reviewer),
        "tasks": tasks.counts(staff_context.reviewer),
        "is_first": not request.GET.get("from"),
        "resolve_form": ResolveForm(),
        "js_catalog": catalog(),
        "undo": undoable(request, staff_context),
        "covers_exports": not privacy.sees_names(staff_context.reviewer),
    }
    if not form.is_valid():
        return context
    ids, following = queue.page(
        staff_context.reviewer, form.case_filter, read_place(request.GET.get("from", ""))
    )
    tallies, flagged = queue.tallies(ids), queue.newest_flagged(ids)
    cases = case_reading.read_cases(staff_context, ids)
    if staff_context.reviewer.role >= Role.LEAD:
        unresolved = {each.owner_id for each in cases if not each.is_resolved}
        context["assign_form"] = AssignForm(among=readers_of_any(unresolved))
    read = log_queries.already_read(
        staff_context.reviewer.user_id, [each.conversation for each in cases if each.conversation]
    )
    owners = case_reading.owners_of(cases)
    rows = [
        _row(staff_context, each, owners.get(each.owner_id), tallies.get(each.pk, []))
        | {"url": case_url(each, flagged), "is_read": each.conversation_id in read}
        for each in cases
    ]
    if query and not (rows or request.GET.get("from")):
        record_empty_search(staff_context)
    place = f"{following[0]},{following[1]}" if following else ""
    has_resolved = any(row["case"].is_resolved for row in rows)
    return context | {"rows": rows, "next": place, "has_resolved": has_resolved}


def offer_reopening(request: HttpRequest, ids: list[int]) -> None:
    """Offer for a while to reopen these cases, which were resolved together."""
    remember_for_undo(request, UNDO_KEY, ids)


def undoable(request: HttpRequest, staff_context: StaffContext) -> dict[str, Any]:
    """Return the offer to reopen the cases that were last resolved together and still are."""
    last = last_changed(request, UNDO_KEY)
    if not last:
        return {}
    cases = workflow.cases_for(staff_context.reviewer).filter(
        pk__in=last[0], state=Case.State.RESOLVED, resolved_by=staff_context.reviewer.user_id
    )
    ids = list(cases.values_list("pk", flat=True))
    if not ids:
        return {}
    words = ngettext(
        "{count} case resolved at {time}.", "{count} cases resolved at {time}.", len(ids)
    )
    return {
        "url": reverse("review_bulk_action"),
        "name": "case",
        "ids": ids,
        "action": "reopen",
        "words": words.format(count=len(ids), time=zoned(last[1], "TIME_FORMAT")),
    }


def case_url(case: Case, flagged: Mapping[int, int]) -> str:
    """Return the address of the case's chat, at the newest of the flagged messages by case.

    The page of a chat that was erased shows its cases.
    """
    address = reverse("review_conversation", args=[case.chat_id])
    message = flagged.get(case.pk)
    return f"{address}?at={message}#m{message}" if message else address


def case_filter_of(request: HttpRequest, staff_context: StaffContext) -> CaseFilter:
    """Return the filters in the query. Raise `BadRequest` if they are invalid."""
    form = CaseFilterForm(request.GET, staff_context.reviewer)
    if not form.is_valid():
        raise BadRequest(" ".join(str(each[0]) for each in form.errors.values()))
    return form.case_filter


def unchanged(count: int) -> str:
    """Return the words for cases that an action on several did not change."""
    return ngettext("{count} case unchanged: {why}", "{count} cases unchanged: {why}", count)


def question(
    staff_context: StaffContext, outcome: str, ids: list[int], reason: str
) -> dict[str, Any]:
    """Return what to ask before all these cases get this outcome."""
    cases = workflow.cases_for(staff_context.reviewer).filter(pk__in=ids)
    count = len(set(ids))
    if outcome == Case.Outcome.DISMISSED:
        text = ngettext("Dismiss {count} case?", "Dismiss {count} cases?", count)
    else:
        text = ngettext("Confirm {count} case?", "Confirm {count} cases?", count)
    return {
        "text": text.format(count=count),
        "ids": ids,
        "outcome": outcome,
        "reason": reason,
        "severe": cases.filter(severity=Severity.HIGH).count(),
        **_purge_of(outcome, cases),
    }


def _purge_of(outcome: str, cases: QuerySet[Case]) -> dict[str, Any]:
    """Return how many of the cases' chats were deleted, and when the first will be purged."""
    deleted = cases.filter(conversation__purge_after__isnull=False)
    deleted = deleted.exclude(state=Case.State.RESOLVED).select_related("conversation")
    is_dismissal = outcome == Case.Outcome.DISMISSED
    dates = [
        holds.purge_at(each.conversation, without=each if is_dismissal else None)
        for each in deleted
        if each.conversation
    ]
    first = min((each for each in dates if each), default=None)
    return {"deleted": len(dates), "first_purge_at": first}


def _row(
    staff_context: StaffContext, case: Case, owner: User | None, tallies: list[FlagTally]
) -> dict[str, Any]:
    return {
        "case": case,
        "title": _title(case),
        "person": privacy.shown_user(staff_context.reviewer, owner),
        "flags": [(each, _flag(each)) for each in tallies],
        "is_mine": case.assignee_id == staff_context.reviewer.user_id,
    }


def _title(case: Case) -> str:
    if case.conversation is None:
        return _("Erased chat")
    return case.conversation.title or _("Untitled")


def _flag(tally: FlagTally) -> str:
    about = tally.rule or reason_label(tally.reason)
    return f"{SOURCE_NAMES[tally.source]}: {about}" if about else str(SOURCE_NAMES[tally.source])


def read_place(text: str) -> tuple[int, int] | None:
    """Return the severity and ID that a page starts after. Raise `BadRequest` if it is invalid."""
    if not text:
        return None
    match = PLACE.fullmatch(text)
    if not match:
        raise BadRequest(_("The list has changed. Reload the page."))
    return int(match[1]), int(match[2])
