"""Let a website's owners ask as a visitor would, and keep questions to check answers with."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.accounts.principals import principal_of
from chat.database import threads
from chat.errors import ChatError
from chat.web.http.shared_limits import HOUR_SECONDS, arequire_rate, require_rate
from chat.web.http.typed_requests import MemberRequest
from chat.web.website_answers.forms import CaseForm, TrialForm
from chat.website_answers import case_schedule, cases
from chat.website_answers.trial import try_question
from chat.widget_sites.access import site_of
from chat.widget_sites.models import WidgetSite

TRIALS_PER_MINUTE = 20
RUNS_PER_HOUR = 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
async def show(request: MemberRequest, key: str) -> HttpResponse:
    """Show the cases; a POST answers a question."""
    principal = await principal_of(request)
    site = await threads.readers.run(site_of, principal.user_id, key)
    form = TrialForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return await _page(request, site, form, 422 if form.errors else 200)
    await arequire_rate("site_trials", principal.key, TRIALS_PER_MINUTE)
    try:
        tried = await try_question(principal, site, form.cleaned_data["question"])
    except ChatError as error:
        form.add_error(None, error.public)
        return await _page(request, site, form, error.status)
    return await _page(request, site, form, tried=tried)


@require_POST
@never_cache
@login_required
def keep(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    form = CaseForm(request.POST)
    if not form.is_valid():
        return _rendered(request, site, form, 422)
    try:
        cases.keep(site, **form.cleaned_data)
    except ChatError as error:
        messages.error(request, error.public)
    else:
        messages.success(request, _("Saved."))
    return redirect("try_site", site.key)


@require_POST
@never_cache
@login_required
def run(request: MemberRequest, key: str) -> HttpResponse:
    site = site_of(request.user.pk, key)
    require_rate("site_cases", str(site.pk), RUNS_PER_HOUR, HOUR_SECONDS)
    count = cases.run_all(site)
    words = ngettext(
        "{count} question is being asked.", "{count} questions are being asked.", count
    )
    messages.success(request, words.format(count=count))
    return redirect("try_site", site.key)


@require_POST
@never_cache
@login_required
def schedule(request: MemberRequest, key: str) -> HttpResponse:
    """Let the cases run by themselves after changes, or not."""
    site = site_of(request.user.pk, key)
    case_schedule.set_automatic(site, is_automatic="is_automatic" in request.POST)
    messages.success(request, _("Saved."))
    return redirect("try_site", site.key)


@require_POST
@never_cache
@login_required
def deletion(request: MemberRequest, key: str, case_id: uuid.UUID) -> HttpResponse:
    site = site_of(request.user.pk, key)
    cases.case_of(site, case_id).delete()
    messages.success(request, _("Deleted."))
    return redirect("try_site", site.key)


def _rendered(
    request: MemberRequest, site: WidgetSite, form: TrialForm, status: int = 200, **result: Any
) -> HttpResponse:
    kept = cases.cases_of(site)
    shown = {
        "site": site,
        "form": form,
        "cases": kept,
        "worse": sum(each.is_worse for each in kept),
        "is_automatic": case_schedule.is_automatic(site),
        **result,
    }
    return render(request, "sites/answers/try.html", shown, status=status)


_page = sync_to_async(_rendered)
