"""Recognise addresses within this site, which may come from anybody's link."""

from django.utils.http import url_has_allowed_host_and_scheme


def is_own_path(address: str) -> bool:
    """Return True for a path of this site, and False for all that browsers take for elsewhere."""
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
