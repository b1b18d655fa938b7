"""Publish the contact for reporting vulnerabilities (RFC 9116)."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from chat.errors import NotFound

#: The contact is a setting of the running site, so it stays accurate for a while.
GOOD_FOR = timedelta(days=180)


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def show(request: HttpRequest) -> HttpResponse:
    """Return the file. Raise `NotFound` if no contact is set."""
    if not settings.SECURITY_CONTACTS:
        raise NotFound
    lines = [f"Contact: {each}" for each in settings.SECURITY_CONTACTS]
    lines.append(f"Expires: {timezone.now() + GOOD_FOR:%Y-%m-%dT00:00:00Z}")
    if settings.SITE_URL.startswith("https://"):
        lines.append(f"Canonical: {settings.SITE_URL}{request.path}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
