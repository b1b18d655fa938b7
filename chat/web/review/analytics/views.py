"""Serve analytics as pages and files. They contain no message text."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from chat.errors import BadRequest, NotFound
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.analytics import rollup
from chat.review.analytics.reports import UsageReport
from chat.review.staff.roles import Right
from chat.site_settings import effective
from chat.web.review.analytics.forms import PeriodForm
from chat.web.review.analytics.page import analytics_context
from chat.web.review.analytics.pair_votes import votes_table
from chat.web.review.analytics.presenters import TABLES, AnalyticsTables
from chat.web.review.http.staff_access import for_staff, show
from chat.web.review.http.tables import as_csv, as_json

FILES = {"csv": as_csv, "json": as_json}


@require_safe
@for_staff(Right.FIGURES, with_reason=False)
def show_analytics(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = PeriodForm(request.GET, staff_context.reviewer)
    context = {"form": form, "is_counting": bool(rollup.open_days())}
    if not form.is_valid():
        return show(request, staff_context, "analytics.html", context, status=422)
    rollup.recount()
    tables = _tables_for(staff_context, form)
    tables.is_counting = bool(context["is_counting"])
    context |= analytics_context(request, form, tables)
    return show(request, staff_context, "analytics.html", context)


@require_safe
@for_staff(Right.FIGURES, with_reason=False)
def show_votes(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show how members have voted on pairs of models."""
    context = {
        "table": votes_table(staff_context.reviewer),
        "is_offered": effective.offers_blind_comparison(),
    }
    return show(request, staff_context, "pair_votes.html", context)


@require_safe
@for_staff(Right.FIGURES)
def analytics_file(
    request: HttpRequest, staff_context: StaffContext, name: str, kind: str
) -> HttpResponse:
    """Download one complete table. Logged as an export, because it may name people."""
    if name not in TABLES or kind not in FILES:
        raise NotFound
    form = PeriodForm(request.GET, staff_context.reviewer)
    if not form.is_valid():
        raise BadRequest(" ".join(str(each[0]) for each in form.errors.values()))
    rollup.recount()
    measures = _tables_for(staff_context, form)
    if name == "people" and not measures.shows_people:
        raise NotFound
    days = f"{measures.period.first.isoformat()}-{measures.period.last.isoformat()}"
    record_export(staff_context, f"{name}-{days}.{kind}")
    return FILES[kind](measures.table(name), f"{name}-{days}")


def _tables_for(staff_context: StaffContext, form: PeriodForm) -> AnalyticsTables:
    return AnalyticsTables(
        staff_context,
        UsageReport(staff_context.reviewer, form.period, form.measured_group, form.measured_site),
        form.facets,
    )
