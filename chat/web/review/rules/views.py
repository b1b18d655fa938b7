"""Let leads create rules, try them, and run them on past messages."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest, Conflict, NotFound
from chat.lib.whole_number import whole_number
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Rule
from chat.review.cases import rules, withdrawal
from chat.review.cases.dry_run import DryRun, dry_run
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import for_staff, is_posted, show
from chat.web.review.rules.forms import RuleForm
from chat.web.review.rules.presenters import extent_in_words, hits_of

COUNT_SECONDS = 10.0  # for counting matches before a rule is saved
SUGGESTED = ("name", "kind", "text", "data_kinds")  # that a link may fill in
MANY_CHATS = 100  # that are asked about before a rule flags them


def _is_kept(request: HttpRequest) -> bool:
    """Return True if the POST saves the rule; trying one changes nothing."""
    return is_posted(request) and "try" not in request.POST


@require_safe
@for_staff(Role.LEAD, with_reason=False)
def show_rules(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    return _rules_page(request, staff_context)


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
    try:
        rules.remove_rule(staff_context, rule_id)
    except Conflict as refusal:
        messages.error(request, refusal.public)
    else:
        messages.success(request, _("Rule deleted. Cases it opened stay in the queue."))
    return redirect("review_rules")


@require_POST
@for_staff(Role.LEAD, with_reason=False, is_act=is_posted)
def withdraw(request: HttpRequest, staff_context: StaffContext, rule_id: int) -> HttpResponse:
    """Take back the rule's flags in the background."""
    withdrawal.start(staff_context, rule_id)
    messages.success(request, _("The rule is off. Its flags are being taken back."))
    return redirect("review_rules")


@require_POST
@for_staff(Role.LEAD, with_reason=False)
def backfill(request: HttpRequest, staff_context: StaffContext, rule_id: int) -> HttpResponse:
    """Start to run the rule on past messages, or stop it. Many matches are asked about first."""
    rule = rules.rule_of(staff_context.reviewer, rule_id)
    if "stop" in request.POST:
        rules.stop_backfill(rule)
        messages.success(request, _("The rule no longer runs on past messages."))
        return redirect("review_rules")
    if "sure" not in request.POST:
        try:
            trial = dry_run(staff_context.reviewer, rule, COUNT_SECONDS)
        except Conflict as refusal:
            messages.error(request, refusal.public)
            return redirect("review_rules")
        if trial.chats >= MANY_CHATS:
            question = _question(rule, trial)
            return _rules_page(request, staff_context, question=question, asked=rule)
    rules.start_backfill(rule)
    messages.success(request, _("The rule is running on past messages."))
    return redirect("review_rules")


@require_POST
@for_staff(Role.LEAD)
def try_on_past(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Show which past messages a rule matches, saved or not, without flagging them."""
    rule = _posted_rule(request, staff_context)
    form = RuleForm(request.POST, staff_context.reviewer, rule)
    context: dict[str, Any] = {"form": form, "rule": rule}
    tried = form.unnamed()
    if tried is None:
        return show(request, staff_context, "rule.html", context, status=422)
    try:
        trial = dry_run(staff_context.reviewer, tried)
    except Conflict as refusal:
        form.add_error(None, refusal.public)
        return show(request, staff_context, "rule.html", context, status=refusal.status)
    context |= {"hits": hits_of(staff_context, tried, trial), "found": extent_in_words(trial)}
    return show(request, staff_context, "rule.html", context)


def _posted_rule(request: HttpRequest, staff_context: StaffContext) -> Rule | None:
    text = request.POST.get("rule", "")
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise NotFound
    return rules.rule_of(staff_context.reviewer, number)


def _question(rule: Rule, trial: DryRun) -> str:
    effect = _("Each of them gets a case in the queue.")
    if rule.action == Rule.Action.HIDE:
        hiding = _("The messages that match are hidden.")
        effect = f"{hiding} {effect}"
    return f"{extent_in_words(trial)} {effect}"


def _rules_page(
    request: HttpRequest, staff_context: StaffContext, **context: object
) -> HttpResponse:
    rows = rules.rules_for(staff_context.reviewer).select_related("members", "site")
    return show(request, staff_context, "rules.html", {"rules": rows} | context)


def _fill_in(request: HttpRequest, staff_context: StaffContext, rule: Rule | None) -> HttpResponse:
    suggested = {name: request.GET[name] for name in SUGGESTED if name in request.GET}
    form = RuleForm(request.POST or None, staff_context.reviewer, rule, suggested)
    context: dict[str, Any] = {"form": form, "rule": rule}
    if rule:
        context["extent"] = withdrawal.extent_of(rule)
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
            if question := _unasked(request, staff_context, form):
                return show(request, staff_context, "rule.html", context | {"question": question})
            rules.save_rule(staff_context, form.filled())
        except (BadRequest, Conflict) as refusal:
            form.add_error(None, refusal.public)
        else:
            messages.success(request, _("Rule saved."))
            return redirect("review_rules")
    return show(request, staff_context, "rule.html", context, status=422)


def _unasked(request: HttpRequest, staff_context: StaffContext, form: RuleForm) -> str:
    """Return what to ask before the rule is saved, if it matches many chats."""
    if "sure" in request.POST or not form.is_condition_new:
        return ""
    trial = dry_run(staff_context.reviewer, form.filled(), COUNT_SECONDS)
    if trial.chats < MANY_CHATS:
        return ""
    return extent_in_words(trial)
