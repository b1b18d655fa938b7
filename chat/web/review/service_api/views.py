"""Answer programs with a service key: chats, cases, figures and the audit log, to be read only."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict

from chat.conversations.search.query import parse
from chat.conversations.search.snippet import snippet
from chat.errors import BadRequest, NotFound
from chat.review import access
from chat.review.access_log.staff_context import StaffContext, record_empty_search
from chat.review.analytics import rollup
from chat.review.analytics.reports import UsageReport
from chat.review.models import ConversationStats
from chat.review.search import conversation_search
from chat.review.service_keys.readers import KeyScope
from chat.web.review.analytics.forms import PeriodForm
from chat.web.review.analytics.presenters import TABLES, AnalyticsTables
from chat.web.review.audit.forms import ALL, AccessLogForm, AuditFilterForm, StaffActionsForm
from chat.web.review.http.facet_forms import FacetsForm
from chat.web.review.http.staff_access import number_in
from chat.web.review.http.tables import as_dicts
from chat.web.review.queue.forms import CaseFilterForm
from chat.web.review.queue.presenters import read_place
from chat.web.review.search.presenters import facets_of_form
from chat.web.review.search.result_cursors import read_cursor, read_position, write_cursor
from chat.web.review.service_api import audit, cases, conversations, limits
from chat.web.review.service_api.callers import (
    CURSOR,
    for_service,
    listed,
    require_known,
    require_valid,
)

#: Of the search page, what has an address of its own here.
PAGE_ONLY = {"q", "show"}
TABLE_NAMES = TABLES.keys() - {"people"}
OLDEST_FIRST = "oldest"


@for_service(KeyScope.REVIEW)
def list_conversations(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List chats by the filters of the search page. Each title is recorded."""
    form = FacetsForm(request.GET, staff_context.reviewer)
    require_known(request, CURSOR, *(form.fields.keys() - PAGE_ONLY))
    require_valid(form)
    facets = facets_of_form(form, staff_context)
    begin = request.GET.get(CURSOR, "")
    stats, following = conversation_search.page(
        staff_context.reviewer, facets, read_cursor(begin), form.cleaned_data["sort"]
    )
    of_chat = {each.pk: each for each in stats}
    rows = [
        conversations.conversation_out(staff_context, each, of_chat[each.pk])
        for each in access.read_titles(staff_context, list(of_chat))
    ]
    if facets and not (rows or begin):
        record_empty_search(staff_context)
    return listed("conversation", rows, write_cursor(following))


@for_service(KeyScope.REVIEW)
def find_messages(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Find messages by their words, in chats that match the filters. Each one is recorded."""
    form = FacetsForm(request.GET, staff_context.reviewer)
    require_known(request, CURSOR, *(form.fields.keys() - {"show", "sort"}))
    require_valid(form)
    facets, text = facets_of_form(form, staff_context), form.cleaned_data["q"]
    if not text:
        raise BadRequest("Name the words to find.").at("q")
    begin = request.GET.get(CURSOR, "")
    query = parse(text)
    result = conversation_search.search(
        staff_context.reviewer,
        query,
        facets,
        read_position(begin),
        conversation_search.sent_in_time(facets),
    )
    rows = [
        {
            "object": "hit",
            "message": each.pk,
            "conversation": str(each.conversation_id),
            "role": each.role,
            "created_at": each.created_at.isoformat(),
            "snippet": "".join(piece.text for piece in snippet(each.text, query)),
        }
        for each in access.read_hits(staff_context, result.ids)
    ]
    if not (rows or begin or result.next):
        record_empty_search(staff_context)
    return listed("hit", rows, str(result.next or ""))


@for_service(KeyScope.REVIEW)
def show_conversation(
    request: HttpRequest, staff_context: StaffContext, conversation_id: UUID
) -> HttpResponse:
    """Return the end of a branch, or the part before the message `before`."""
    require_known(request, "before", "at")
    reading = access.read_branch(
        staff_context,
        conversation_id,
        before=number_in(request, "before"),
        at=number_in(request, "at"),
    )
    stats = ConversationStats.objects.filter(pk=conversation_id).first()
    chat = conversations.conversation_out(staff_context, reading.conversation, stats)
    return JsonResponse(
        {
            **chat,
            "messages": conversations.messages_out(staff_context, reading),
            "has_earlier": reading.part.has_earlier,
            "branches": [each.pk for each in reading.leaves],
            "cases": [each.pk for each in reading.cases],
        }
    )


@for_service(KeyScope.REVIEW)
def list_cases(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List cases by the filters of the queue, with the titles of their chats."""
    form = CaseFilterForm(request.GET, staff_context.reviewer)
    require_known(request, CURSOR, *form.fields)
    require_valid(form)
    place = read_place(request.GET.get(CURSOR, ""))
    rows, following = cases.cases_page(staff_context, form.case_filter, place)
    return listed("case", rows, following)


@for_service(KeyScope.REVIEW)
def show_case(request: HttpRequest, staff_context: StaffContext, case_id: int) -> HttpResponse:
    require_known(request)
    case = cases.whole_case(staff_context, case_id)
    if case is None:
        raise NotFound
    return JsonResponse(case)


@for_service(KeyScope.FIGURES)
def show_figures(request: HttpRequest, staff_context: StaffContext, table: str) -> HttpResponse:
    """Return a table of the analytics page, without the one of people."""
    if table not in TABLE_NAMES:
        raise NotFound
    form = PeriodForm(request.GET, staff_context.reviewer)
    require_known(request, *form.fields)
    require_valid(form)
    rollup.recount()
    report = UsageReport(
        staff_context.reviewer, form.period, form.measured_group, form.measured_site
    )
    shown = AnalyticsTables(staff_context, report).table(table)
    period = {"since": form.period.first.isoformat(), "until": form.period.last.isoformat()}
    return listed(table, as_dicts(shown), **period)


@for_service(KeyScope.FIGURES)
def list_limits(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List the limits that people share, and what is used of them now."""
    require_known(request)
    return listed("limit", limits.limits_with_use(staff_context.reviewer))


@for_service(KeyScope.AUDIT)
def list_access(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List who read what. As on the page, that isn't recorded: it shows no text of chats."""
    form = AccessLogForm(_with_all(request), staff_context.reviewer)
    after, oldest_first = _audit_place(request, form)
    page = audit.access_page(staff_context, form.wanted, after, oldest_first=oldest_first)
    return listed("access", *page)


@for_service(KeyScope.AUDIT)
def list_actions(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = StaffActionsForm(request.GET, staff_context.reviewer)
    after, oldest_first = _audit_place(request, form)
    page = audit.actions_page(staff_context, form.wanted, after, oldest_first=oldest_first)
    return listed("action", *page)


@for_service(KeyScope.AUDIT)
def list_seals(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """List the seals of whole days, which tell nothing of single people."""
    require_known(request, CURSOR)
    return listed("seal", *audit.seals_page(number_in(request, CURSOR)))


def _with_all(request: HttpRequest) -> QueryDict:
    """Return the parameters; the page leaves out titles in lists unless it is asked for them."""
    sent = request.GET.copy()
    sent.setdefault("kind", ALL)
    return sent


def _audit_place(request: HttpRequest, form: AuditFilterForm) -> tuple[int | None, bool]:
    """Check the parameters, and return the cursor and whether the oldest entry is first."""
    require_known(request, CURSOR, "order", *form.fields)
    require_valid(form)
    order = request.GET.get("order", "")
    if order not in {"", OLDEST_FIRST}:
        raise BadRequest("The order is “oldest”, or newest first.").at("order")
    return number_in(request, CURSOR), order == OLDEST_FIRST
