"""Manage usage limits, for superusers."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from chat.admin.base import ReasonedAdmin, attributed_to_user
from chat.lib.generic_django import AnyModelAdmin
from chat.quotas.models import Limit, UpstreamPause
from chat.review.access_log import staff_actions
from chat.review.access_log.staff_actions import StaffAction


@admin.register(Limit)
class LimitAdmin(ReasonedAdmin):
    """Usage limits. Changes apply from the next message on."""

    list_display = (
        "__str__",
        "scope",
        "measure",
        "amount",
        "user",
        "group",
        "site",
        "by_owner",
        "expires_at",
    )
    list_filter = ("scope", "measure")
    list_select_related = ("user", "group")
    autocomplete_fields = ("user",)
    fields = ("scope", "user", "group", "site", "measure", "amount")

    def save_model(self, request: HttpRequest, obj: Limit, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        with attributed_to_user(request, form.cleaned_data["reason"]):
            _record(obj, "")

    def delete_model(self, request: HttpRequest, obj: Limit) -> None:
        _record(obj, "− ")
        super().delete_model(request, obj)


def _record(limit: Limit, sign: str) -> None:
    whose = limit.group or limit.site
    about = f"{whose}: " if whose else ""
    detail = f"{sign}{about}{limit.scope} {limit.measure} {limit.amount.normalize():f}"
    staff_actions.record_current_action(
        StaffAction.Kind.QUOTA_CHANGED, person=limit.user_id, detail=detail
    )


@admin.register(UpstreamPause)
class PauseAdmin(AnyModelAdmin):
    """Pauses of the model provider; deleting one ends the pause."""

    list_display = ("until", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: UpstreamPause | None = None) -> bool:
        return False
