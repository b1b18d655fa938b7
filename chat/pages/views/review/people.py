"""One person as the staff knows them, and what can be done: warn, suspend, limit; and back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.pages.review.act_forms import ActForm, LimitForm, SuspensionForm, WarningForm
from chat.pages.review.door import for_staff, show
from chat.pages.review.people import page_of_person
from chat.quotas.measures import Measure
from chat.review.acting import because, limits, people
from chat.review.acting.people import person_of
from chat.review.audit import Look
from chat.review.roles import Role


@require_safe
@for_staff()
def person(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    context = page_of_person(look, person_of(look, key))
    return show(request, look, "person.html", context)


@require_POST
@for_staff(Role.LEAD)
def warning(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    found, form = person_of(look, key), WarningForm(look, request.POST)
    if not form.is_valid():
        return _again(request, look, key, warning_form=form)
    people.warn(because(look, form.cleaned_data["reason"]), found, form.cleaned_data["text"])
    messages.success(request, _("The warning is shown until it is read."))
    return redirect("review_person", key)


@require_POST
@for_staff(Role.LEAD)
def withdrawal(request: HttpRequest, look: Look, key: str, warning_id: int) -> HttpResponse:
    people.take_back(look, person_of(look, key), warning_id)
    messages.success(request, _("The warning is taken back."))
    return redirect("review_person", key)


@require_POST
@for_staff(Role.LEAD)
def suspension(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    """Until a day or for good; with `undo` lets them in again."""
    found = person_of(look, key)
    if "undo" in request.POST:
        form: ActForm = ActForm(look, request.POST)
        if form.is_valid():
            people.restore(because(look, form.cleaned_data["reason"]), found)
            messages.success(request, _("They can sign in again."))
        return redirect("review_person", key)
    form = SuspensionForm(look, request.POST)
    if not form.is_valid():
        return _again(request, look, key, suspension_form=form)
    people.suspend(because(look, form.cleaned_data["reason"]), found, form.cleaned_data["until"])
    messages.success(request, _("They are suspended, and signed out everywhere."))
    return redirect("review_person", key)


@require_POST
@for_staff(Role.LEAD)
def limit(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    """For a time; with `undo` as it was before."""
    found = person_of(look, key)
    if "undo" in request.POST:
        limits.free(look, found)
        messages.success(request, _("The limits of the review are gone."))
        return redirect("review_person", key)
    form = LimitForm(look, request.POST)
    if not form.is_valid():
        return _again(request, look, key, limit_form=form)
    given = form.cleaned_data
    why, measure = because(look, given["reason"]), Measure(given["measure"])
    limits.limit(why, found, measure, given["amount"], given["until"])
    messages.success(request, _("The limit holds from the next message on."))
    return redirect("review_person", key)


def _again(request: HttpRequest, look: Look, key: str, **form: ActForm) -> HttpResponse:
    """The page with what was typed, and what is wrong with it."""
    context = page_of_person(look, person_of(look, key)) | form
    return show(request, look, "person.html", context, status=422)
