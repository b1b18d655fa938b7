"""Let leads define what is drawn for a rating form, and draw it now."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import RatingSample
from chat.review.ratings import draws, rating_forms, samples
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import for_staff, is_posted, show
from chat.web.review.ratings.sample_form import SampleForm


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def new(request: HttpRequest, staff_context: StaffContext, form_id: int) -> HttpResponse:
    return _fill_in(request, staff_context, form_id, None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def change(
    request: HttpRequest, staff_context: StaffContext, form_id: int, sample_id: int
) -> HttpResponse:
    sample = samples.sample_of(staff_context.reviewer, form_id, sample_id)
    return _fill_in(request, staff_context, form_id, sample)


@require_POST
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def remove(
    request: HttpRequest, staff_context: StaffContext, form_id: int, sample_id: int
) -> HttpResponse:
    samples.remove_sample(staff_context, form_id, sample_id)
    messages.success(request, _("Schedule ended. What it has drawn stays."))
    return redirect("review_rating_form", form_id)


@require_POST
@for_staff(Role.LEAD)
def draw_now(
    request: HttpRequest, staff_context: StaffContext, form_id: int, sample_id: int
) -> HttpResponse:
    draw = draws.draw_now(staff_context, form_id, sample_id)
    words = ngettext("{count} of {all} drawn.", "{count} of {all} drawn.", draw.picked)
    told = messages.success if draw.picked else messages.warning
    told(request, words.format(count=draw.picked, all=draw.population))
    return redirect("review_rating_form", form_id)


def _fill_in(
    request: HttpRequest, staff_context: StaffContext, form_id: int, sample: RatingSample | None
) -> HttpResponse:
    rated = rating_forms.editable_form(staff_context.reviewer, form_id)
    sent = request.POST if is_posted(request) else None
    form = SampleForm(sent, staff_context, rated, sample)
    context = {"form": form, "rated_form": rated, "sample": sample}
    if sent is None:
        return show(request, staff_context, "ratings/sample.html", context)
    if not form.is_valid():
        return show(request, staff_context, "ratings/sample.html", context, status=422)
    without_access = form.raters_without_access
    samples.save_sample(staff_context, form.filled(), form.chosen_raters)
    messages.success(request, _("Schedule saved."))
    if without_access:
        names = get_text_list([str(each) for each in without_access], _("and"))
        words = _("They get nothing to rate, because they may review nobody: {names}.")
        messages.warning(request, words.format(names=names))
    return redirect("review_rating_form", rated.pk)
