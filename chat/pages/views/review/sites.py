"""One website's chat as those who lead know it, and what can be done: suspend, limit; and back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.pages.review.act_forms import ActForm, LimitForm, SuspensionForm
from chat.pages.review.door import for_staff, show
from chat.pages.review.people import page_of_site
from chat.quotas.measures import Measure
from chat.review.acting import because, limits, sites
from chat.review.acting.sites import site_of
from chat.review.audit import Look
from chat.review.roles import Role


@require_safe
@for_staff(Role.LEAD)
def site(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    return show(request, look, "site.html", page_of_site(look, site_of(look, key)))


@require_POST
@for_staff(Role.LEAD)
def suspension(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    """Until a day or for good; with `undo` opens it again."""
    found = site_of(look, key)
    if "undo" in request.POST:
        form: ActForm = ActForm(look, request.POST)
        if form.is_valid():
            sites.restore(because(look, form.cleaned_data["reason"]), found)
            messages.success(request, _("The site is open again."))
        return redirect("review_site", key)
    form = SuspensionForm(look, request.POST)
    if not form.is_valid():
        return _again(request, look, key, suspension_form=form)
    sites.suspend(because(look, form.cleaned_data["reason"]), found, form.cleaned_data["until"])
    messages.success(request, _("The site is suspended: nobody sees its chat."))
    return redirect("review_site", key)


@require_POST
@for_staff(Role.LEAD)
def limit(request: HttpRequest, look: Look, key: str) -> HttpResponse:
    """For a time; with `undo` as it was before."""
    found = site_of(look, key)
    if "undo" in request.POST:
        limits.free(look, found)
        messages.success(request, _("The limits of the review are gone."))
        return redirect("review_site", key)
    form = LimitForm(look, request.POST)
    if not form.is_valid():
        return _again(request, look, key, limit_form=form)
    given = form.cleaned_data
    why, measure = because(look, given["reason"]), Measure(given["measure"])
    limits.limit(why, found, measure, given["amount"], given["until"])
    messages.success(request, _("The limit holds from the next message on."))
    return redirect("review_site", key)


def _again(request: HttpRequest, look: Look, key: str, **form: ActForm) -> HttpResponse:
    context = page_of_site(look, site_of(look, key)) | form
    return show(request, look, "site.html", context, status=422)
