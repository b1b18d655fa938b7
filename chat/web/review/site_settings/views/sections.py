"""Let administrators set up the site: a checklist, and the settings by section."""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.conversations.retention import expiry, periods
from chat.conversations.retention.models import GroupRetention
from chat.review.access_log.staff_context import StaffContext
from chat.review.members.retention import newly_expired
from chat.review.site_setup import actions as site_actions
from chat.review.site_setup import checklist
from chat.site_settings import effective
from chat.web.review.http.retention_question import deletion_question
from chat.web.review.http.staff_access import acting_administrators, administrators, show
from chat.web.review.site_settings.comparison_form import ComparisonForm
from chat.web.review.site_settings.forms import (
    BrandForm,
    MemberRetentionForm,
    SectionForm,
    SignUpPolicyForm,
    WelcomeForm,
)
from chat.web.review.site_settings.judge_form import JudgeForm
from chat.web.review.site_settings.personal_data_form import PersonalDataForm
from chat.web.review.site_settings.presenters import color_note, shown_steps, usual_reason
from chat.web.review.site_settings.suggestions_form import SuggestionsForm


@require_http_methods(["GET", "HEAD", "POST"])
@administrators
def show_checklist(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show the steps. Marking one, or dismissing the list, changes nothing else: no reason."""
    if request.method == "POST":
        if "hidden" in request.POST:
            checklist.hide(is_hidden=request.POST["hidden"] == "yes")
        if "step" in request.POST:
            checklist.mark(request.POST["step"], is_done=request.POST.get("done") == "yes")
        return redirect("review_setup")
    steps = shown_steps(checklist.steps())
    context = {
        "steps": steps,
        "done": sum(each.is_done for each in steps),
        "is_hidden": effective.is_checklist_hidden(),
    }
    return show(request, staff_context, "site_settings/checklist.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_look(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    posted = request.method == "POST"
    form = BrandForm(request.POST, request.FILES) if posted else BrandForm()
    if posted and form.is_valid():
        with transaction.atomic():
            site_actions.save(staff_context, form.values())
            if form.logo_change is not None:
                site_actions.save_logo(staff_context, form.logo_change)
        return _saved(request, "review_brand")
    context = {"color_note": color_note()}
    return _show_section(request, staff_context, "look.html", form, context)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_sign_up(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _edit(request, staff_context, SignUpPolicyForm, "review_sign_up", "sign_up.html")


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_welcome(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _edit(request, staff_context, WelcomeForm, "review_welcome", "welcome.html")


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_retention(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Set how long members' chats are kept; if some are older, ask first."""
    form = MemberRetentionForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        "groups": GroupRetention.objects.select_related("group").order_by("group__name")
    }
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data["days"]
        after = replace(periods.current(), of_site=days)
        count = 0 if "sure" in request.POST else newly_expired(after)
        if not count:
            site_actions.save(staff_context, form.values())
            return _saved(request, "review_retention")
        form.add_error("days", deletion_question(count, expiry.earliest_deletion(days)))
        context |= {"is_asked": True}
    return _show_section(request, staff_context, "retention.html", form, context)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_judge(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _edit(request, staff_context, JudgeForm, "review_judge", "judge.html")


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_personal_data(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _edit(
        request, staff_context, PersonalDataForm, "review_personal_data", "personal_data.html"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_comparison(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _edit(request, staff_context, ComparisonForm, "review_comparing", "comparison.html")


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def edit_suggestions(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    route, template = "review_suggestions", "suggestions.html"
    writes_titles = bool(settings.TITLE_MODEL)
    return _edit(
        request, staff_context, SuggestionsForm, route, template, writes_titles=writes_titles
    )


def _edit(
    request: HttpRequest,
    staff_context: StaffContext,
    form_class: type[SectionForm],
    route: str,
    template: str,
    **context: Any,
) -> HttpResponse:
    """Show or save a section that consists of one form."""
    form = form_class(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        site_actions.save(staff_context, form.values())
        return _saved(request, route)
    return _show_section(request, staff_context, template, form, context)


def _saved(request: HttpRequest, route: str) -> HttpResponse:
    messages.success(request, _("Saved. Applies everywhere within two seconds."))
    return redirect(route)


def _show_section(
    request: HttpRequest,
    staff_context: StaffContext,
    template: str,
    form: SectionForm,
    context: dict[str, Any],
) -> HttpResponse:
    status = 422 if form.errors else 200
    context = {"form": form, "usual_reason": usual_reason()} | context
    return show(request, staff_context, f"site_settings/{template}", context, status=status)
