"""Addresses for mail. None is built from a request: anybody can write its `Host`, port included."""

from urllib.parse import urlsplit

from django.conf import settings


def absolute_url(path: str) -> str:
    """Return the whole address of `path` on this site, as SITE_URL has it."""
    parts = urlsplit(path)
    query = f"?{parts.query}" if parts.query else ""
    return f"{settings.SITE_URL}{parts.path}{query}"


def site_host() -> str:
    """Return host and port of SITE_URL."""
    return urlsplit(settings.SITE_URL).netloc
