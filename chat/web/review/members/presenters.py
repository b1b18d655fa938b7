"""Present accounts to administrators."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.administrators import administrators
from chat.accounts.models import User
from chat.api_keys import keys
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import actions as member_actions
from chat.review.members import member_list, scopes
from chat.review.members.accounts import deletion_obstacle
from chat.review.members.member_list import MemberFacets, MemberRow
from chat.review.staff.roles import Role, role_of
from chat.web.api_keys.presenters import shown_keys
from chat.web.http.query_params import query_of
from chat.web.review.http.tables import Column, ColumnKind, Table
from chat.web.review.members.forms import STATE_NAMES, AddressForm, GroupsForm, PeopleForm
from chat.web.review.members.group_forms import AccountScopeForm

MAX_IN_FILE = 50_000
ROLE_NAMES = {
    Role.NONE: gettext_lazy("Staff without access to chats"),
    Role.REVIEWER: gettext_lazy("Reviewer"),
    Role.LEAD: gettext_lazy("Lead reviewer"),
    Role.ADMINISTRATOR: gettext_lazy("Administrator"),
}


def people_context(request: HttpRequest, form: PeopleForm) -> dict[str, Any]:
    facets = form.facets if form.is_valid() else MemberFacets()
    rows, after = member_list.page(facets, request.GET.get("after", "").replace("\0", "")[:254])
    return {
        "form": form,
        "rows": [_row(each) for each in rows],
        "next": after,
        "query": query_of(request, form.fields),
        "is_first": not request.GET.get("after"),
        "waiting": member_list.people(MemberFacets(state=member_list.WAITING)).count(),
    }


def people_table(facets: MemberFacets) -> Table:
    columns = [
        Column("email", _("Email address"), ColumnKind.TEXT),
        Column("name", _("Name"), ColumnKind.TEXT),
        Column("state", _("Account"), ColumnKind.TEXT),
        Column("groups", _("Groups"), ColumnKind.TEXT),
        Column("joined", _("Joined"), ColumnKind.TEXT),
        Column("active", _("Last active"), ColumnKind.TEXT),
        Column("dollars", _("Cost this month"), ColumnKind.DOLLARS),
    ]
    rows = [
        [
            each.user.email,
            each.user.name,
            each.state,
            "; ".join(group.name for group in each.user.groups.all()),
            each.user.date_joined.isoformat(timespec="seconds"),
            each.active_at.isoformat(timespec="seconds") if each.active_at else None,
            each.dollars,
        ]
        for each in member_list.member_rows(member_list.people(facets)[:MAX_IN_FILE])
    ]
    return Table("people", _("People"), columns, rows)


def account_context(staff_context: StaffContext, user: User, form: GroupsForm) -> dict[str, Any]:
    (listed,) = member_list.member_rows([user])
    role = role_of(user)
    # Nobody limits what administrators review.
    is_scoped = role is not None and role < Role.ADMINISTRATOR
    return {
        "form": form,
        "user_shown": user,
        "state": listed.state,
        "row": _row(listed),
        "role": ROLE_NAMES[role] if role is not None else "",
        "is_scoped": is_scoped,
        "scopes": scopes.of_account(user),
        "scope_form": AccountScopeForm() if is_scoped else None,
        "has_second_factor": is_mfa_enabled(user),
        "may_change": member_actions.may_change(staff_context, user),
        "is_self": user.pk == staff_context.reviewer.user_id,
        "is_last": set(administrators().values_list("pk", flat=True)) == {user.pk},
        "address_form": AddressForm(),
        "deletion_obstacle": deletion_obstacle(staff_context, user),
        "joined": timezone.localtime(user.date_joined),
        "api_keys": shown_keys(list(keys.keys_of(user.pk))),
    }


def members_of(group: Group, after: int | None) -> tuple[list[User], int | None]:
    """Return a page of members, oldest account first, and the ID that the next page follows."""
    members = User.objects.filter(groups=group, closed_at=None, pk__gt=after or 0).order_by("pk")
    rows = list(members[: member_list.PER_PAGE + 1])
    shown = rows[: member_list.PER_PAGE]
    return shown, shown[-1].pk if len(rows) > len(shown) else None


def _row(listed: MemberRow) -> dict[str, Any]:
    return {
        "user": listed.user,
        "state": listed.state,
        "state_name": STATE_NAMES[listed.state],
        "groups": [group.name for group in listed.user.groups.all()],
        "active_at": listed.active_at,
        "dollars": listed.dollars,
    }
