from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.pages.allowance import shown_allowance
from chat.quotas.allowance import allowance_of
from chat.quotas.models import Limit, Pause
from chat.quotas.payer import Payer
from chat.relay.deleting import delete_site
from chat.review.deeds import Deed
from chat.review.models import Read, ReviewScope
from chat.sharing.models import SharedLink, digest_of
from chat.sites.models import Site


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """People and their rights. Passwords are reset by mail, never typed by staff."""

    list_display = ("email", "name", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("date_joined", "last_login", "allowance")
    filter_horizontal = ("groups", "user_permissions")
    fields = (
        "email", "name", "is_active", "is_staff", "is_superuser", "groups",
        "user_permissions", "date_joined", "last_login", "allowance",
    )  # fmt: skip

    @admin.display(description=_("allowance"))
    def allowance(self, user: User) -> str:
        """What this member has left: the very numbers that they see."""
        if not user.pk:
            return "–"
        rows = shown_allowance(allowance_of(Payer(user_id=user.pk)))["rows"]
        words = ((row["name"], row["amount"]) for row in rows)
        return format_html_join("", "{}: {}<br>", words) or gettext("no limits")


@admin.register(Limit)
class LimitAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What each and all may use. A change holds from the next message on."""

    list_display = ("__str__", "scope", "measure", "amount", "user", "group", "site", "by_owner")
    list_filter = ("scope", "measure")
    list_select_related = ("user", "group")
    autocomplete_fields = ("user",)
    fields = ("scope", "user", "group", "site", "measure", "amount")


@admin.register(Pause)
class PauseAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Deleting one has the model's service asked again at once."""

    list_display = ("until", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Pause | None = None) -> bool:
        return False


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Suspending a site, and taking it down. Its owner sees to the rest, on pages of their own."""

    list_display = ("name", "owner", "key", "is_suspended", "made_at")
    list_filter = ("is_suspended",)
    list_select_related = ("owner",)
    search_fields = ("name", "key", "owner__email")
    fields = ("name", "owner", "key", "origins", "is_suspended", "made_at", "changed_at")
    readonly_fields = ("name", "owner", "key", "origins", "made_at", "changed_at")
    actions = ("suspend", "resume")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Site) -> None:
        delete_site(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Site]) -> None:
        for site in queryset:
            delete_site(site)

    @admin.action(description=_("Suspend"), permissions=["change"])
    def suspend(self, request: HttpRequest, sites: QuerySet[Site]) -> None:
        sites.update(is_suspended=True)

    @admin.action(description=_("Let them go on"), permissions=["change"])
    def resume(self, request: HttpRequest, sites: QuerySet[Site]) -> None:
        sites.update(is_suspended=False)


@admin.register(SharedLink)
class SharedLinkAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Finding a link by its address, and taking it down. What it shows is read there, not here."""

    list_display = ("id", "owner", "made_at", "expires_at", "opened")
    list_select_related = ("owner",)
    search_fields = ("owner__email",)
    search_help_text = _("An email address, or the whole address of a link")
    fields = readonly_fields = ("id", "owner", "made_at", "expires_at", "opened")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SharedLink]:
        return super().get_queryset(request).defer("turns")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[SharedLink], search_term: str
    ) -> tuple[QuerySet[SharedLink], bool]:
        _before, found, token = search_term.strip().rstrip("/").rpartition("/s/")
        if found:
            return queryset.filter(digest=digest_of(token)), False
        return super().get_search_results(request, queryset, search_term)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SharedLink | None = None) -> bool:
        return False


@admin.register(ReviewScope)
class ReviewScopeAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Whom the staff may review. A change holds from the next page on."""

    list_display = ("__str__", "reviewer", "team", "members", "site")
    list_select_related = ("reviewer", "team", "members", "site")
    autocomplete_fields = ("reviewer",)
    fields = ("reviewer", "team", "members", "site")


class RecordAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The record: to be read, never to be changed."""

    ordering = ("-id",)
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Read)
class ReadAdmin(RecordAdmin):
    list_display = ("at", "reader", "owner", "kind", "reason")
    list_filter = ("kind", "at")
    fields = readonly_fields = (
        "at", "reader", "owner", "conversation", "message", "kind", "reason",
    )  # fmt: skip


@admin.register(Deed)
class DeedAdmin(RecordAdmin):
    list_display = ("at", "actor", "kind", "person", "site", "reason", "detail")
    list_filter = ("at",)
    fields = readonly_fields = (
        "at", "actor", "kind", "person", "conversation", "message", "site", "reason", "detail",
    )  # fmt: skip
