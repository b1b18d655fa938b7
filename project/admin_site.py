"""Define who may use the admin, and where they sign in."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse

from chat.accounts.second_factor import two_factor


class StaffAdminSite(AdminSite):
    """Sign in through the site's own page, which has the rate limits and second factors."""

    def has_permission(self, request: HttpRequest) -> bool:
        return two_factor.has_permission(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return two_factor.wrap_login(secure_admin_login(super().login))(request, extra_context)
