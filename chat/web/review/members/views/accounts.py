"""Let administrators manage people: the list, and single accounts."""

from allauth.account.forms import ResetPasswordForm
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.accounts.sign_up import invitations
from chat.errors import BadRequest
from chat.review.access_log.staff_context import StaffContext, record_export
from chat.review.members import accounts as people_accounts
from chat.review.members import actions as member_actions
from chat.review.members import scopes as scope_rows
from chat.review.staff.roles import Role
from chat.web.review.http.staff_access import (
    acting_administrators,
    administrators,
    for_staff,
    posted_id,
    show,
)
from chat.web.review.http.tables import as_csv
from chat.web.review.members.forms import AddressForm, GroupsForm, PeopleForm
from chat.web.review.members.group_forms import AccountScopeForm
from chat.web.review.members.presenters import account_context, people_context, people_table


@require_safe
@administrators
def people(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    form = PeopleForm(request.GET)
    context = people_context(request, form)
    return show(request, staff_context, "people.html", context, status=422 if form.errors else 200)


@require_safe
@for_staff(Role.ADMINISTRATOR, shows_messages=False)
def people_file(request: HttpRequest, staff_context: StaffContext) -> HttpResponse:
    """Download all people that match the filters as CSV. Needs a reason and is logged."""
    form = PeopleForm(request.GET)
    if not form.is_valid():
        raise BadRequest(" ".join(str(each[0]) for each in form.errors.values()))
    record_export(staff_context, "people.csv")
    return as_csv(people_table(form.facets), "people")


@require_http_methods(["GET", "HEAD", "POST"])
@acting_administrators
def account(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Show an account; a POST sets its groups."""
    user = member_actions.account(user_id)
    if request.method == "POST":
        form = GroupsForm(request.POST)
        if form.is_valid():
            member_actions.set_groups(staff_context, user.pk, form.cleaned_data["groups"])
            return _done(request, user_id, _("Groups saved."))
    else:
        form = GroupsForm(initial={"groups": list(user.groups.all())})
    status = 422 if form.errors else 200
    return show(
        request,
        staff_context,
        "account.html",
        account_context(staff_context, user, form),
        status=status,
    )


@require_POST
@acting_administrators
def approval(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    user = member_actions.approve(staff_context, user_id)
    invitations.notify_approved(user)
    return _done(request, user_id, _("Account approved."))


@require_POST
@acting_administrators
def refusal(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    member_actions.reject(staff_context, user_id)
    messages.success(request, _("Account removed."))
    return redirect("review_people")


@require_POST
@acting_administrators
def reset(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Send the email that the user would get by requesting a password reset."""
    user = member_actions.record_password_reset(staff_context, user_id)
    form = ResetPasswordForm({"email": user.email})
    if form.is_valid():
        form.save(request)
    words = _("Password reset email sent.")
    if not invitations.is_mail_configured():
        words = _("No email server is configured. The email was saved to a file on the server.")
    return _done(request, user_id, words)


@require_POST
@acting_administrators
def address(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Change the email address and notify the old one."""
    user, form = member_actions.account(user_id), AddressForm(request.POST)
    if form.is_valid():
        try:
            people_accounts.change_address(staff_context, user_id, form.cleaned_data["email"])
            return _done(
                request, user_id, _("Email address changed. A notice was sent to the old address.")
            )
        except ValidationError as refusal:
            form.add_error("email", refusal)
    groups = GroupsForm(initial={"groups": list(user.groups.all())})
    context = account_context(staff_context, user, groups) | {"address_form": form}
    return show(request, staff_context, "account.html", context, status=422)


@require_POST
@acting_administrators
def deletion(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Delete the account, as its owner could. Refused if any of its data is under legal hold."""
    people_accounts.delete(staff_context, user_id)
    messages.success(request, _("Account deleted. Its data will be removed shortly."))
    return redirect("review_people")


@require_POST
@acting_administrators
def scopes(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    """Let a staff member review somebody, or end that."""
    user = member_actions.account(user_id)
    if (scope_id := posted_id(request, "end")) is not None:
        scope_rows.remove(staff_context, scope_rows.of_account(user), scope_id)
        return _done(request, user_id, _("Scope removed."))
    form = AccountScopeForm(request.POST)
    if form.is_valid():
        scope_rows.add(staff_context, reviewer=user, **form.scope)
        return _done(request, user_id, _("Scope added."))
    groups = GroupsForm(initial={"groups": list(user.groups.all())})
    context = account_context(staff_context, user, groups) | {"scope_form": form}
    return show(request, staff_context, "account.html", context, status=422)


@require_POST
@acting_administrators
def second_factor(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    member_actions.remove_second_factor(staff_context, user_id)
    return _done(request, user_id, _("Second factor removed."))


@require_POST
@acting_administrators
def sessions(request: HttpRequest, staff_context: StaffContext, user_id: int) -> HttpResponse:
    member_actions.end_sessions(staff_context, user_id)
    if user_id == staff_context.reviewer.user_id:
        return redirect("account_login")
    return _done(request, user_id, _("User signed out everywhere."))


@require_POST
@acting_administrators
def api_key_revocation(
    request: HttpRequest, staff_context: StaffContext, user_id: int, api_key_id: int
) -> HttpResponse:
    member_actions.revoke_key(staff_context, user_id, api_key_id)
    return _done(request, user_id, _("Key revoked. Programs can no longer use it."))


def _done(request: HttpRequest, user_id: int, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("review_account", user_id)
