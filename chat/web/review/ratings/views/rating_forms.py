"""List rating forms, show their figures, and let leads define them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest, NotFound
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.rating_models import RatingForm
from chat.review.ratings import agreement, rating_forms
from chat.review.ratings.samples import drawn_for
from chat.review.staff.roles import Right, Role
from chat.review.utc_days import today
from chat.web.http.files.downloads import download
from chat.web.review.analytics.forms import PeriodForm
from chat.web.review.http.staff_access import for_staff, is_posted, principal_of_staff, show
from chat.web.review.ratings.export import WRITERS
from chat.web.review.ratings.figures_page import figures_context
from chat.web.review.ratings.form_names import named_scopes
from chat.web.review.ratings.forms import RatingFormForm, question_forms
from chat.web.review.ratings.presenters import disagreement_rows


@require_safe
@for_staff(Right.FIGURES, with_reason=False)
def show_forms(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    rows = named_scopes(rating_forms.forms_for(staff_context.reviewer))
    return show(request, staff_context, "ratings/forms.html", {"forms": rows})


@require_safe
@for_staff(Right.FIGURES, with_reason=False)
def show_form(request: HttpRequest, staff_context: StaffContext, form_id: int) -> HttpResponse:
    """Show the figures of a form, and to leads what is drawn for it."""
    reviewer = staff_context.reviewer
    rated = rating_forms.form_of(reviewer, form_id)
    period_form = PeriodForm(request.GET, reviewer)
    leads = reviewer.role >= Role.LEAD
    context: dict[str, Any] = {
        "rated_form": rated,
        "form": period_form,
        "may_change": leads and rating_forms.may_change(reviewer, rated),
        "samples": drawn_for(rated) if leads else [],
    }
    if period_form.is_valid():
        context |= figures_context(reviewer, rated, period_form)
    status = 422 if period_form.errors else 200
    return show(request, staff_context, "ratings/form.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def new(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _fill_in(request, staff_context, None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def change(request: HttpRequest, staff_context: StaffContext, form_id: int) -> HttpResponse:
    form = rating_forms.editable_form(staff_context.reviewer, form_id)
    return _fill_in(request, staff_context, form)


@require_POST
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def remove(request: HttpRequest, staff_context: StaffContext, form_id: int) -> HttpResponse:
    """Delete a form without ratings; turn off one that has some."""
    if rating_forms.remove_form(staff_context, form_id):
        messages.success(request, _("Form deleted."))
    else:
        messages.success(request, _("The form has ratings, so it was turned off instead."))
    return redirect("review_rating_forms")


@require_safe
@for_staff(Role.LEAD)
def show_disagreements(
    request: HttpRequest, staff_context: StaffContext, form_id: int
) -> HttpResponse:
    reviewer = staff_context.reviewer
    form = rating_forms.form_of(reviewer, form_id)
    found = agreement.disagreements(reviewer, agreement.compared(reviewer, form))
    rows = disagreement_rows(staff_context, form, found)
    context = {"rated_form": form, "rows": rows}
    return show(request, staff_context, "ratings/disagreements.html", context)


@require_safe
@for_staff(Role.LEAD)
def export(
    request: HttpRequest, staff_context: StaffContext, form_id: int, kind: str
) -> HttpResponseBase:
    """Export all ratings of a form; texts only on request, with each chat in the access log."""
    if kind not in WRITERS:
        raise NotFound
    form = rating_forms.form_of(staff_context.reviewer, form_id)
    rows = WRITERS[kind](staff_context, form, with_text="text" in request.GET)
    record_export(staff_context, f"ratings-{form.pk}.{kind}")
    name = f"ratings {today():%Y-%m-%d}.{kind}"
    return download(rows, name, principal_of_staff(request, staff_context))


def _fill_in(
    request: HttpRequest, staff_context: StaffContext, rated: RatingForm | None
) -> HttpResponse:
    sent = request.POST if is_posted(request) else None
    questions = rating_forms.current_questions(rated) if rated else []
    form = RatingFormForm(sent, staff_context.reviewer, rated)
    drafts = question_forms(sent, questions)
    context = {
        "form": form,
        "drafts": drafts,
        "rated_form": rated,
        "is_rated": bool(rated and rating_forms.has_ratings(rated)),
    }
    if sent is None:
        return show(request, staff_context, "ratings/edit_form.html", context)
    if all([form.is_valid(), *(each.is_valid() for each in drafts)]):
        used = [each.draft for each in drafts if each.is_used]
        if not used:
            form.add_error(None, _("Enter at least one question."))
        else:
            try:
                saved = rating_forms.save_form(staff_context, form.filled(), used)
            except BadRequest as refusal:
                form.add_error(None, refusal.public)
            else:
                messages.success(request, _("Form saved."))
                return redirect("review_rating_form", saved.pk)
    return show(request, staff_context, "ratings/edit_form.html", context, status=422)
