"""Suspend and limit a person or a website, and undo it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from chat.quotas.units import Measure
from chat.review.access_log.authority import with_reason
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import personal_limits
from chat.review.moderation.personal_limits import Limited
from chat.web.review.http.staff_access import show
from chat.web.review.moderation.forms import LimitForm, ModerationForm, SuspensionForm


@dataclass(frozen=True, slots=True)
class ModerationSubject:
    """The person or website to act on, and the page that shows the forms."""

    whom: Limited
    template: str
    address: str
    page: Callable[[], dict[str, Any]]

    def back(self, request: HttpRequest, words: str) -> HttpResponse:
        messages.success(request, words)
        return redirect(self.address)

    def again(
        self, request: HttpRequest, staff_context: StaffContext, **form: ModerationForm
    ) -> HttpResponse:
        """Show the page again with the submitted values and the errors."""
        return show(request, staff_context, self.template, self.page() | form, status=422)


@dataclass(frozen=True, slots=True)
class SuspensionActions:
    """How to suspend and reinstate the subject, and the messages that confirm it."""

    out: Callable[[StaffContext, Any, datetime | None], None]
    again: Callable[[StaffContext, Any], None]
    out_in_words: str
    again_in_words: str


def suspend_or_reinstate(
    request: HttpRequest,
    staff_context: StaffContext,
    subject: ModerationSubject,
    keeping: SuspensionActions,
) -> HttpResponse:
    """Suspend the subject, until a date or indefinitely; with `undo`, reinstate it."""
    if "undo" in request.POST:
        form: ModerationForm = ModerationForm(request.POST)
        if not form.is_valid():
            return subject.again(request, staff_context, undo_form=form)
        keeping.again(with_reason(staff_context, form.cleaned_data["reason"]), subject.whom)
        return subject.back(request, keeping.again_in_words)
    form = SuspensionForm(request.POST)
    if not form.is_valid():
        return subject.again(request, staff_context, suspension_form=form)
    values = form.cleaned_data
    keeping.out(with_reason(staff_context, values["reason"]), subject.whom, values["until"])
    return subject.back(request, keeping.out_in_words)


def limit(
    request: HttpRequest, staff_context: StaffContext, subject: ModerationSubject
) -> HttpResponse:
    """Set a temporary limit; with `undo`, restore the previous limits."""
    if "undo" in request.POST:
        undo = ModerationForm(request.POST)
        if not undo.is_valid():
            return subject.again(request, staff_context, free_form=undo)
        personal_limits.remove_limits(
            with_reason(staff_context, undo.cleaned_data["reason"]), subject.whom
        )
        return subject.back(request, _("Limits set by reviewers removed."))
    form = LimitForm(request.POST)
    if not form.is_valid():
        return subject.again(request, staff_context, limit_form=form)
    values = form.cleaned_data
    why, measure = with_reason(staff_context, values["reason"]), Measure(values["measure"])
    personal_limits.set_limit(why, subject.whom, measure, values["amount"], values["until"])
    return subject.back(request, _("Limit set. It applies from the next message."))
