"""Let leads create rules, try them, and run them on past messages."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Rule
from chat.review.cases import rules
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import for_staff, is_posted, show
from chat.web.review.rules.forms import RuleForm


def _is_kept(request: HttpRequest) -> bool:
    """Return True if the POST saves the rule; trying one changes nothing."""
    return is_posted(request) and "try" not in request.POST


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def show_rules(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    rows = rules.rules_for(staff_context.reviewer).select_related("members", "site")
    return show(request, staff_context, "rules.html", {"rules": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=_is_kept)
def new(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _fill_in(request, staff_context, None)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(Role.LEAD, with_reason=False, is_act=_is_kept)
def change(request: HttpRequest, staff_context: StaffContext, rule_id: int) -> HttpResponse:
    return _fill_in(request, staff_context, rules.rule_of(staff_context.reviewer, rule_id))


@require_POST
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def remove(request: HttpRequest, staff_context: StaffContext, rule_id: int) -> HttpResponse:
    rules.remove_rule(staff_context, rule_id)
    messages.success(request, _("Rule deleted. Cases it opened stay in the queue."))
    return redirect("review_rules")


@require_POST
@for_staff(Role.LEAD, with_reason=False)
def backfill(request: HttpRequest, staff_context: StaffContext, rule_id: int) -> HttpResponse:
    rules.start_backfill(rules.rule_of(staff_context.reviewer, rule_id))
    words = _("The rule is running on past messages.")
    messages.success(request, words)
    return redirect("review_rules")


def _fill_in(request: HttpRequest, staff_context: StaffContext, rule: Rule | None) -> HttpResponse:
    form = RuleForm(request.POST or None, staff_context.reviewer, rule)
    context: dict[str, Any] = {"form": form, "rule": rule}
    if request.method != "POST":
        return show(request, staff_context, "rule.html", context)
    if "try" in request.POST:
        pieces = form.trial()
        has_hits = any(each.is_hit for each in pieces or ())
        context |= {"is_trial": True, "pieces": pieces, "has_hits": has_hits}
        return show(
            request, staff_context, "rule.html", context, status=422 if form.errors else 200
        )
    if form.is_valid():
        try:
            rules.save_rule(staff_context, form.filled())
        except BadRequest as refusal:
            form.add_error(None, refusal.public)
        else:
            messages.success(request, _("Rule saved."))
            return redirect("review_rules")
    return show(request, staff_context, "rule.html", context, status=422)
