from django.contrib import admin

from chat.accounts.models import User


@admin.register(User)
class UserAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """People and their rights. Passwords are reset by mail, never typed by staff."""

    list_display = ("email", "name", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("date_joined", "last_login")
    filter_horizontal = ("groups", "user_permissions")
    fields = (
        "email", "name", "is_active", "is_staff", "is_superuser", "groups",
        "user_permissions", "date_joined", "last_login",
    )  # fmt: skip
