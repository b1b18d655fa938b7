"""Build addresses for mails from SITE_URL, never from a request, whose `Host` can be forged."""

from urllib.parse import urlsplit

from django.conf import settings


def absolute_url(path: str) -> str:
    """Return the absolute address of `path`, based on SITE_URL."""
    parts = urlsplit(path)
    query = f"?{parts.query}" if parts.query else ""
    return f"{settings.SITE_URL}{parts.path}{query}"


def site_host() -> str:
    """Return host and port of SITE_URL."""
    return urlsplit(settings.SITE_URL).netloc
