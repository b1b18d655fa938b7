"""Let staff start, watch and cancel runs."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest, Conflict, QuotaExceeded, UpstreamRejected
from chat.evaluation import access, export, runs, starting
from chat.evaluation.models import EvaluationRun
from chat.evaluation.problems import words_of
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.web.http.files.downloads import download
from chat.web.review.evaluation.forms import RunForm
from chat.web.review.evaluation.presenters import run_context
from chat.web.review.evaluation.rights import evaluating
from chat.web.review.http.staff_access import number_in, principal_of_staff, show


@require_http_methods(["GET", "HEAD", "POST"])
@evaluating
def new_run(request: HttpRequest, staff_context: StaffContext, dataset_id: int) -> HttpResponse:
    """Say what a run costs at most, and start it if that was asked before."""
    dataset = access.dataset_of(dataset_id)
    form = RunForm(request.POST or None, dataset, staff_context.reviewer.user_id)
    context = {"form": form, "dataset": dataset, "count": access.items_of(dataset).count()}
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.errors else 200
        return show(request, staff_context, "evaluation/new_run.html", context, status=status)
    run = form.run()
    try:
        if "sure" in request.POST:
            starting.start(staff_context, run)
            return redirect("review_evaluation_run", dataset.pk, run.pk)
        starting.check(run)
    except QuotaExceeded:
        form.add_error(None, str(words_of(QuotaExceeded.code)))
    except (BadRequest, Conflict, UpstreamRejected) as refusal:
        form.add_error(None, refusal.public)
    else:
        context["estimated_usd"] = run.estimated_microdollars / 1_000_000
        return show(request, staff_context, "evaluation/new_run.html", context)
    return show(request, staff_context, "evaluation/new_run.html", context, status=422)


@require_safe
@evaluating
def show_run(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, run_id: int
) -> HttpResponse:
    context = run_context(staff_context, _run(dataset_id, run_id), number_in(request, "after"))
    return show(request, staff_context, "evaluation/run.html", context)


@require_POST
@evaluating
def cancel(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, run_id: int
) -> HttpResponse:
    runs.cancel(staff_context, _run(dataset_id, run_id))
    return redirect("review_evaluation_run", dataset_id, run_id)


@require_POST
@evaluating
def resume(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, run_id: int
) -> HttpResponse:
    try:
        starting.resume(staff_context, _run(dataset_id, run_id))
    except Conflict as refusal:
        messages.error(request, refusal.public)
    return redirect("review_evaluation_run", dataset_id, run_id)


@require_POST
@evaluating
def delete(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, run_id: int
) -> HttpResponse:
    runs.delete(staff_context, _run(dataset_id, run_id))
    messages.success(request, _("Run deleted."))
    return redirect("review_dataset", dataset_id)


@require_safe
@evaluating
def answers_file(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, run_id: int
) -> HttpResponseBase:
    """Download the answers of a run; what is from chats is logged with each page."""
    run = _run(dataset_id, run_id)
    name = f"run-{run.pk}.jsonl"
    record_export(staff_context, name)
    pieces = export.answer_lines(staff_context, run)
    return download(pieces, name, principal_of_staff(request, staff_context))


def _run(dataset_id: int, run_id: int) -> EvaluationRun:
    return access.run_of(access.dataset_of(dataset_id), run_id)
