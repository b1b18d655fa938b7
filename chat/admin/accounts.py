"""Manage people, groups and scopes in the admin; only superusers change permissions.

Addresses, passwords and second factors are changed in chat/review/members/, which notifies the
user. So allauth's tables have no admin pages.
"""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as PlainGroupAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.accounts import actor
from chat.accounts.administrators import LastAdministrator, keeping_administrators
from chat.accounts.models import User
from chat.admin.base import ReasonedAdmin, attributed_to_user, with_reason
from chat.quotas.allowance import allowance_of
from chat.quotas.payer import Payer
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import accounts
from chat.review.models import ReviewScope
from chat.review.staff import roles
from chat.review.staff.roles import Role
from chat.web.account.usage_lines import shown_allowance

for _model in (Group, EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(_model)

#: Fields that grant permissions, or could be used to gain them.
RIGHTS = ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and getattr(request.user, "is_superuser", False))


def is_administrator(request: HttpRequest) -> bool:
    """Return True if the user is an administrator on the staff's pages too."""
    user = request.user
    reviewer = roles.reviewer_of(user) if isinstance(user, User) else None
    return reviewer is not None and reviewer.role is Role.ADMINISTRATOR


class RightsAdmin(ReasonedAdmin):
    """Models that give rights; a change that leaves no administrator is undone, and said to be."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        view = super().changeform_view
        return _keeping_administrators(self, request, lambda: view(request, *args, **kwargs))

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        view = super().delete_view
        return _keeping_administrators(self, request, lambda: view(request, *args, **kwargs))


def _keeping_administrators(
    page: RightsAdmin, request: HttpRequest, view: Callable[[], HttpResponse]
) -> HttpResponse:
    if request.method != "POST":
        return view()  # which can be read while the database takes no writes
    try:
        with transaction.atomic(), keeping_administrators():
            return view()
    except LastAdministrator as refusal:
        page.message_user(request, refusal.public, messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())


@admin.register(User)
class UserAdmin(RightsAdmin):
    """Users and, visible to superusers only, their permissions."""

    list_display = ("email", "name", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("email", "name")
    ordering = ("email",)
    filter_horizontal = ("groups", "user_permissions")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        rights = [each for each in RIGHTS if is_superuser(request)]
        about = ["date_joined", "last_login", "allowance"] if obj else []
        fields = ["email", "name", *(rights if obj else []), *about]
        return with_reason(self, request, obj, fields)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return []
        own = ["is_active"] if obj.pk == request.user.pk else []
        return ["email", "date_joined", "last_login", "allowance", *own]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let only superusers change superusers."""
        may_change = super().has_change_permission(request, obj)
        return may_change and (is_superuser(request) or not (obj and obj.is_superuser))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and is_administrator(request)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        reason = form.cleaned_data["reason"]
        if not change:
            with attributed_to_user(request, reason):
                accounts.create(obj)
            return
        is_active, is_switched = obj.is_active, "is_active" in form.changed_data
        if is_switched:
            obj.is_active = not is_active  # accounts.switch does it below
        super().save_model(request, obj, form, change)
        if is_switched:
            accounts.set_enabled(_look(request, reason), obj, is_enabled=is_active)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """List only the accounts: their data may be large, and is purged later (purge.py)."""
        why_not = [accounts.deletion_obstacle(_look(request, ""), each) for each in objs]
        return [str(each) for each in objs], {}, set(), [each for each in why_not if each]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        accounts.delete(_look(request), obj.pk)

    @admin.display(description=_("limits"))
    def allowance(self, user: User) -> str:
        """Show what is left of the member's limits, as the member sees it."""
        rows = shown_allowance(allowance_of(Payer(user_id=user.pk)))["rows"]
        words = ((row["name"], row["amount"]) for row in rows)
        return format_html_join("", "{}: {}<br>", words) or gettext("no limits")


def _look(request: HttpRequest, reason: str | None = None) -> StaffContext:
    """Return the administrator's context; `reason` defaults to the current action's."""
    reviewer = roles.require_reviewer(request.user, Role.ADMINISTRATOR)
    return StaffContext(reviewer, actor.current().reason if reason is None else reason)


class SuperuserOnlyAdmin(RightsAdmin):
    """Models that determine permissions; superusers only."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)


@admin.register(Group)
class GroupAdmin(SuperuserOnlyAdmin, PlainGroupAdmin):
    """Groups with their permissions. Membership is edited with the users."""

    fields = ("name", "permissions")


@admin.register(ReviewScope)
class ReviewScopeAdmin(SuperuserOnlyAdmin):
    """Reviewers' scopes. Changes apply from the next page on."""

    list_display = ("__str__", "reviewer", "team", "members", "site")
    list_select_related = ("reviewer", "team", "members", "site")
    autocomplete_fields = ("reviewer",)
    fields = ("reviewer", "team", "members", "site")
