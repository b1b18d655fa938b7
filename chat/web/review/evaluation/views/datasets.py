"""Let staff make datasets, and add and remove questions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest
from chat.evaluation import access, datasets, export
from chat.evaluation.models import EvaluationDataset
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.web.http.files.downloads import download
from chat.web.review.evaluation.forms import DatasetForm, NewItemForm, UploadForm
from chat.web.review.evaluation.presenters import dataset_context, dataset_rows
from chat.web.review.evaluation.rights import evaluating
from chat.web.review.http.staff_access import number_in, principal_of_staff, show


@require_http_methods(["GET", "HEAD", "POST"])
@evaluating
def all_datasets(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = DatasetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        dataset = datasets.create(staff_context, form.cleaned_data["name"])
        return redirect("review_dataset", dataset.pk)
    context = {"form": form, "datasets": dataset_rows()}
    status = 422 if form.errors else 200
    return show(request, staff_context, "evaluation/datasets.html", context, status=status)


@require_safe
@evaluating
def show_dataset(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int
) -> HttpResponse:
    return _page(request, staff_context, access.dataset_of(dataset_id))


@require_POST
@evaluating
def add_item(request: HttpRequest, staff_context: StaffContext, dataset_id: int) -> HttpResponse:
    """Add a question that was typed."""
    dataset = access.dataset_of(dataset_id)
    form = NewItemForm(request.POST)
    if form.is_valid():
        try:
            datasets.add_items(staff_context, dataset, [form.item()])
        except BadRequest as refusal:
            form.add_error(None, refusal.public)
        else:
            messages.success(request, _("Question added."))
            return redirect("review_dataset", dataset.pk)
    return _page(request, staff_context, dataset, status=422, item_form=form)


@require_POST
@evaluating
def upload(request: HttpRequest, staff_context: StaffContext, dataset_id: int) -> HttpResponse:
    """Add the questions of a file, all or none."""
    dataset = access.dataset_of(dataset_id)
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        items = form.cleaned_data["file"]
        try:
            datasets.add_items(staff_context, dataset, items)
        except BadRequest as refusal:
            form.add_error("file", refusal.public)
        else:
            words = ngettext(
                "{count} question added.", "{count} questions added.", len(items)
            ).format(count=len(items))
            messages.success(request, words)
            return redirect("review_dataset", dataset.pk)
    return _page(request, staff_context, dataset, status=422, upload_form=form)


@require_POST
@evaluating
def remove_item(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int, item_id: int
) -> HttpResponse:
    dataset = access.dataset_of(dataset_id)
    datasets.remove_item(staff_context, dataset, access.item_of(dataset, item_id))
    messages.success(request, _("Question removed."))
    return redirect("review_dataset", dataset.pk)


@require_POST
@evaluating
def delete(request: HttpRequest, staff_context: StaffContext, dataset_id: int) -> HttpResponse:
    datasets.delete(staff_context, access.dataset_of(dataset_id))
    messages.success(request, _("Dataset deleted."))
    return redirect("review_datasets")


@require_safe
@evaluating
def dataset_file(
    request: HttpRequest, staff_context: StaffContext, dataset_id: int
) -> HttpResponseBase:
    """Download the questions; what is from chats is logged with each page."""
    dataset = access.dataset_of(dataset_id)
    name = f"dataset-{dataset.pk}.jsonl"
    record_export(staff_context, name)
    pieces = export.dataset_lines(staff_context, dataset)
    return download(pieces, name, principal_of_staff(request, staff_context))


def _page(
    request: HttpRequest,
    staff_context: StaffContext,
    dataset: EvaluationDataset,
    *,
    status: int = 200,
    **forms: Any,
) -> HttpResponse:
    context = {"item_form": NewItemForm(), "upload_form": UploadForm()} | forms
    context |= dataset_context(staff_context, dataset, number_in(request, "after"))
    return show(request, staff_context, "evaluation/dataset.html", context, status=status)
