"""Present the queue: cases with their flags, and actions on several cases."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.errors import BadRequest
from chat.review import access
from chat.review.access_log import log_queries
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.case_models import Case, Severity
from chat.review.cases import queue, workflow
from chat.review.cases.queue import CaseFilter, FlagTally
from chat.review.cases.workflow import BulkResult
from chat.review.staff import privacy
from chat.review.staff.roles import Role
from chat.web.http.js_catalog import catalog
from chat.web.review.http.facet_forms import SOURCE_NAMES
from chat.web.review.queue.forms import AssignForm, CaseFilterForm, ResolveForm
from chat.web.review.transcript.presenters import reason_label

QUEUE_KEY = "review_queue"  # session key of the last queue that the staff member viewed
UNDO_KEY = "review_undo"  # session key of the cases that were just resolved together
PLACE = re.compile(r"([1-3]),([0-9]{1,18})")


def queue_context(request: HttpRequest, staff_context: StaffContext) -> dict[str, Any]:
    """Return the template context for the filters in the query and `?from=`."""
    form = CaseFilterForm(request.GET, staff_context.reviewer)
    query = query_of(request)
    context: dict[str, Any] = {
        "form": form,
        "query": query,
        "counts": queue.counts(staff_context.reviewer),
        "is_first": not request.GET.get("from"),
        "resolve_form": ResolveForm(),
        "js_catalog": catalog(),
        "undo": request.session.pop(UNDO_KEY, []),
    }
    if staff_context.reviewer.role >= Role.LEAD:
        context["assign_form"] = AssignForm()
    if not form.is_valid():
        return context
    ids, following = queue.page(
        staff_context.reviewer, form.case_filter, _place(request.GET.get("from", ""))
    )
    tallies, flagged = queue.tallies(ids), queue.newest_flagged(ids)
    cases = access.read_cases(staff_context, ids)
    read = log_queries.already_read(
        staff_context.reviewer.user_id, [each.conversation for each in cases]
    )
    rows = [
        _row(staff_context, each, tallies.get(each.pk, []))
        | {"url": case_url(each, flagged), "is_read": each.conversation_id in read}
        for each in cases
    ]
    if query and not (rows or request.GET.get("from")):
        record_empty_search(staff_context)
    place = f"{following[0]},{following[1]}" if following else ""
    has_resolved = any(row["case"].is_resolved for row in rows)
    return context | {"rows": rows, "next": place, "has_resolved": has_resolved}


def case_url(case: Case, flagged: Mapping[int, int]) -> str:
    """Return the address of the case's chat, at the newest of the flagged messages by case."""
    address = reverse("review_conversation", args=[case.conversation_id])
    message = flagged.get(case.pk)
    return f"{address}?at={message}#m{message}" if message else address


def case_filter_of(request: HttpRequest, staff_context: StaffContext) -> CaseFilter:
    """Return the filters in the query. Raise `BadRequest` if they are invalid."""
    form = CaseFilterForm(request.GET, staff_context.reviewer)
    if not form.is_valid():
        raise BadRequest(" ".join(str(each[0]) for each in form.errors.values()))
    return form.case_filter


def query_of(request: HttpRequest) -> str:
    """Return the filters as a query string, without the page."""
    wanted = [(name, request.GET.get(name, "").strip()) for name in CaseFilterForm.base_fields]
    return urlencode([(name, value) for name, value in wanted if value])


def bulk_summary(bulk: BulkResult, done: str) -> str:
    """Say how many cases changed, and why the others did not."""
    rest = (
        ngettext("{count} case unchanged: {why}", "{count} cases unchanged: {why}", count).format(
            count=count, why=why
        )
        for why, count in bulk.refused.most_common()
    )
    return " ".join((done.format(count=len(bulk.done)), *rest))


def question(
    staff_context: StaffContext, outcome: str, ids: list[int], reason: str
) -> dict[str, Any]:
    """Return what to ask before all these cases get this outcome."""
    found = workflow.cases_for(staff_context.reviewer).filter(pk__in=ids)
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
        "severe": found.filter(severity=Severity.HIGH).count(),
    }


def _row(staff_context: StaffContext, case: Case, tallies: list[FlagTally]) -> dict[str, Any]:
    return {
        "case": case,
        "conversation": case.conversation,
        "person": privacy.shown_user(staff_context.reviewer, case.conversation.owner),
        "flags": [(each, _flag(each)) for each in tallies],
        "is_mine": case.assignee_id == staff_context.reviewer.user_id,
    }


def _flag(tally: FlagTally) -> str:
    about = tally.rule or reason_label(tally.reason)
    return f"{SOURCE_NAMES[tally.source]}: {about}" if about else str(SOURCE_NAMES[tally.source])


def _place(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = PLACE.fullmatch(text)
    if not found:
        raise BadRequest(_("The list has changed. Reload the page."))
    return int(found[1]), int(found[2])
