"""Manage what is public: websites with the chat, and shared links."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.admin.base import ReasonedAdmin, attributed_to_user
from chat.review.access_log import staff_actions
from chat.review.access_log.staff_actions import StaffAction
from chat.review.moderation import widget_site_suspension
from chat.sharing.models import SharedLink, digests_of
from chat.widget_sites.models import WidgetSite


@admin.register(WidgetSite)
class WidgetSiteAdmin(ReasonedAdmin):
    """Suspend or delete a site. Its owner manages the rest on the site's own pages."""

    list_display = ("name", "owner", "key", "is_suspended", "created_at")
    list_filter = ("is_suspended",)
    list_select_related = ("owner",)
    search_fields = ("name", "key", "owner__email")
    fields = ("name", "owner", "key", "origins", "is_suspended", "created_at", "updated_at")
    readonly_fields = ("name", "owner", "key", "origins", "created_at", "updated_at")
    actions = ("suspend", "resume")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """List only the sites: chats are purged later, except those on legal hold (purge.py)."""
        return [str(each) for each in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: WidgetSite) -> None:
        widget_site_suspension.delete(obj)

    @admin.action(description=_("Suspend"), permissions=["change"])
    def suspend(self, request: HttpRequest, chosen: QuerySet[WidgetSite]) -> None:
        self._switch(request, chosen, is_suspended=True)

    @admin.action(description=_("Reinstate"), permissions=["change"])
    def resume(self, request: HttpRequest, chosen: QuerySet[WidgetSite]) -> None:
        self._switch(request, chosen, is_suspended=False)

    def _switch(
        self, request: HttpRequest, chosen: QuerySet[WidgetSite], *, is_suspended: bool
    ) -> None:
        reason = self.reason_of_action(request)
        if not reason:
            return
        with attributed_to_user(request, reason), transaction.atomic():
            for site in chosen:
                widget_site_suspension.set_suspended(site, is_suspended=is_suspended)

    def save_model(self, request: HttpRequest, obj: WidgetSite, form: Any, change: bool) -> None:
        """Save the suspension, which is the only editable field."""
        with attributed_to_user(request, form.cleaned_data["reason"]):
            widget_site_suspension.set_suspended(obj, is_suspended=obj.is_suspended)


@admin.register(SharedLink)
class SharedLinkAdmin(ReasonedAdmin):
    """Find a shared link by its URL, and revoke it. Its content is not shown here."""

    list_display = ("id", "owner", "is_restricted", "created_at", "expires_at", "opened")
    list_select_related = ("owner",)
    search_fields = ("owner__email",)
    search_help_text = _("Email address or full link")
    fields = readonly_fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[SharedLink]:
        return super().get_queryset(request).defer("turns")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[SharedLink], search_term: str
    ) -> tuple[QuerySet[SharedLink], bool]:
        _before, found, token = search_term.strip().rstrip("/").rpartition("/s/")
        if found:
            return queryset.filter(digest__in=digests_of(token)), False
        return super().get_search_results(request, queryset, search_term)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SharedLink | None = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: SharedLink) -> None:
        staff_actions.record_current_action(
            StaffAction.Kind.LINK_REVOKED, person=obj.owner_id, detail=f"link {obj.pk}"
        )
        super().delete_model(request, obj)
