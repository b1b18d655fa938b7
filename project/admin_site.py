"""Define who may use the admin, and where they sign in."""

from functools import cache, wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from django.views.i18n import JavaScriptCatalog

from chat.accounts.second_factor import two_factor
from chat.errors import StaffOnly
from chat.lib.release_files import read_at_start

VIEW_ON_SITE = "view_on_site"


class StaffAdminSite(AdminSite):
    """Sign in through the site's own page, which has the rate limits and second factors.

    Members without permission read that they have none, instead of being asked to sign in.
    """

    index_title = _("Administration")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return two_factor.has_permission(request)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Leave out the address that leads to an object's page: none has one, and it can fail."""
        return [each for each in super().get_urls() if getattr(each, "name", "") != VIEW_ON_SITE]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Check who asks first. Nothing is cached, not even what Django would allow."""
        checked = super().admin_view(view, cacheable=False)

        @wraps(checked)
        def for_staff(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            _require_staff(request)
            return checked(request, *args, **kwargs)

        return for_staff

    def i18n_javascript(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Return Django's catalogue, which it would read from files each time."""
        return HttpResponse(_catalogue(get_language()), content_type="text/javascript")

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        _require_staff(request)
        return two_factor.wrap_login(secure_admin_login(super().login))(request, extra_context)


@cache
def _catalogue(language: str | None) -> bytes:
    with override(language):
        request = HttpRequest()
        request.method = "GET"
        view = JavaScriptCatalog.as_view(packages=["django.contrib.admin"])
        response: Any = view(request)
        return bytes(response.content)


@read_at_start
def _read_catalogues() -> None:
    for language, _name in settings.LANGUAGES:
        _catalogue(language)


def _require_staff(request: HttpRequest) -> None:
    """Raise `StaffOnly` for members; people who aren't signed in are asked to sign in later."""
    if request.user.is_authenticated and not request.user.is_staff:
        raise StaffOnly
