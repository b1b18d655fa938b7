"""Manage groups: members, reviewers, and allowed models and personas."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.conversations.retention import expiry, periods
from chat.errors import Conflict
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import groups
from chat.review.members import retention as group_retention
from chat.review.members import scopes as scope_rows
from chat.web.review.http.retention_question import deletion_question
from chat.web.review.http.staff_access import acting_administrators, number_in, posted_id, show
from chat.web.review.members.forms import MemberForm, NameForm, addresses_in
from chat.web.review.members.group_forms import AccessForm, GroupRetentionForm, ScopeForm
from chat.web.review.members.presenters import members_of


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def all_groups(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = NameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        made = _try(form, lambda: groups.create(staff_context, form.cleaned_data["name"]))
        if made:
            return redirect("review_group", made.pk)
    context = {"form": form, "groups": groups.all_groups()}
    return show(request, staff_context, "groups.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def group(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    """Show a group; a POST renames it."""
    member_group = groups.group_of(group_id)
    sent = request.POST if request.method == "POST" else None
    form = NameForm(sent, initial={"name": member_group.name})
    if request.method == "POST" and _try(
        form, lambda: groups.rename(staff_context, member_group, form.cleaned_data["name"]) or True
    ):
        return _done(request, member_group, _("Group renamed."))
    return _page(request, staff_context, member_group, name_form=form)


@require_POST
@acting_administrators
def deletion(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    member_group = groups.group_of(group_id)
    try:
        groups.remove(staff_context, member_group)
    except Conflict as refusal:
        messages.error(request, refusal.public)
        return redirect("review_group", group_id)
    messages.success(request, _("Group deleted. Its members keep their accounts."))
    return redirect("review_groups")


@require_POST
@acting_administrators
def members(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    """Add the member with the given email address, or remove the one with the given ID."""
    member_group = groups.group_of(group_id)
    if (user_id := posted_id(request, "out")) is not None:
        groups.remove_member(staff_context, member_group, user_id)
        return _done(request, member_group, _("Member removed from the group."))
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _page(request, staff_context, member_group, member_form=form)
    problems = _add_all(staff_context, member_group, addresses_in(form.cleaned_data["email"]))
    if not problems:
        return _done(request, member_group, _("Member added to the group."))
    left = MemberForm({"email": "\n".join(problems)})  # the others have been added
    for address, problem in problems.items():
        left.add_error("email", f"{address}: {problem}" if len(problems) > 1 else problem)
    return _page(request, staff_context, member_group, member_form=left)


def _add_all(staff_context: StaffContext, group: Group, addresses: list[str]) -> dict[str, str]:
    """Add these members; return the addresses that could not be added, with the reason."""
    problems = {}
    for address in dict.fromkeys(addresses):
        try:
            groups.add_member(staff_context, group, address)
        except ValidationError as error:
            problems[address] = " ".join(error.messages)
    return problems


@require_POST
@acting_administrators
def scopes(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    """Let a staff group review the members, or end that."""
    member_group = groups.group_of(group_id)
    if (scope_id := posted_id(request, "end")) is not None:
        scope_rows.remove(staff_context, scope_rows.of_group(member_group), scope_id)
        return _done(request, member_group, _("Reviewer removed from the group."))
    form = ScopeForm(request.POST)
    if form.is_valid():
        scope_rows.add(staff_context, team=form.cleaned_data["team"], members=member_group)
        return _done(request, member_group, _("Reviewer added to the group."))
    return _page(request, staff_context, member_group, scope_form=form)


@require_POST
@acting_administrators
def access(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    """Set the models, tools and personas that the members may use."""
    member_group = groups.group_of(group_id)
    form = AccessForm(request.POST, member_group)
    if form.is_valid():
        chosen = form.cleaned_data
        groups.set_access(
            staff_context,
            member_group,
            chosen["models"],
            chosen["personas"],
            chosen.get("tools", "").split(),
        )
        return _done(request, member_group, _("Saved."))
    return _page(request, staff_context, member_group, access_form=form)


@require_POST
@acting_administrators
def retention(request: HttpRequest, staff_context: StaffContext, group_id: int) -> HttpResponse:
    """Set how long the members' chats are kept; if some are older, ask first."""
    member_group = groups.group_of(group_id)
    form = GroupRetentionForm(request.POST)
    if not form.is_valid():
        return _page(request, staff_context, member_group, retention_form=form)
    days = form.cleaned_data["days"]
    after = periods.with_group(periods.current(), member_group, days)
    if "sure" not in request.POST and (count := group_retention.newly_expired(after)):
        form.add_error("days", deletion_question(count, expiry.earliest_deletion(days or 0)))
        return _page(request, staff_context, member_group, retention_form=form, is_asked=True)
    group_retention.set_for(staff_context, member_group, days)
    return _done(request, member_group, _("Saved."))


def _try(form: Form, act: Callable[[], Any]) -> Any:
    """Return the result of `act`. If it raises `ValidationError`, show the error in the form."""
    if not form.is_valid():
        return None
    try:
        return act()
    except ValidationError as error:
        form.add_error(next(iter(form.fields)), error)
        return None


def _page(
    request: HttpRequest,
    staff_context: StaffContext,
    member_group: Group,
    *,
    is_asked: bool = False,
    **tried: Form,
) -> HttpResponse:
    page, after = members_of(member_group, number_in(request, "after"))
    usual: dict[str, Any] = {
        "group": member_group,
        "members": page,
        "rules": groups.rules_of(member_group),
        "next": after,
        "scopes": scope_rows.of_group(member_group),
        "name_form": NameForm(initial={"name": member_group.name}),
        "member_form": MemberForm(),
        "scope_form": ScopeForm(),
        "access_form": AccessForm(None, member_group),
        "retention_form": GroupRetentionForm(
            initial={"days": group_retention.of_group(member_group)}
        ),
        "is_asked": is_asked,
    }
    status = 422 if tried and any(form.errors for form in tried.values()) else 200
    return show(request, staff_context, "group.html", usual | tried, status=status)


def _done(request: HttpRequest, member_group: Group, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("review_group", member_group.pk)
