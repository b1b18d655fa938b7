"""Show the audit log in the admin, read-only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from chat.lib.generic_django import AnyModelAdmin
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry


class AppendOnlyAdmin(AnyModelAdmin):
    """A read-only log."""

    ordering = ("-id",)
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(AccessLogEntry)
class AccessLogAdmin(AppendOnlyAdmin):
    list_display = ("at", "reader", "owner", "kind", "reason")
    list_filter = ("kind", "at")
    fields = readonly_fields = (
        "at", "reader", "owner", "conversation", "message", "kind", "reason", "detail",
    )  # fmt: skip


@admin.register(StaffAction)
class StaffActionAdmin(AppendOnlyAdmin):
    list_display = ("at", "actor", "kind", "person", "site", "reason", "detail")
    list_filter = ("at",)
    fields = readonly_fields = (
        "at", "actor", "kind", "person", "conversation", "message", "site", "reason", "detail",
    )  # fmt: skip
