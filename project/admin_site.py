"""Define who may use the admin, and where they sign in."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver

from chat.accounts.second_factor import two_factor

VIEW_ON_SITE = "view_on_site"


class StaffAdminSite(AdminSite):
    """Sign in through the site's own page, which has the rate limits and second factors."""

    def has_permission(self, request: HttpRequest) -> bool:
        return two_factor.has_permission(request)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Leave out the address that leads to an object's page: none has one, and it can fail."""
        return [each for each in super().get_urls() if getattr(each, "name", "") != VIEW_ON_SITE]

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return two_factor.wrap_login(secure_admin_login(super().login))(request, extra_context)
