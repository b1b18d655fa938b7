"""Redirect to a URL that a form names, if it is safe."""

from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def safe_redirect(wanted: str, otherwise: str) -> HttpResponseRedirect:
    """Redirect to `wanted` if it is a path of this site, else to `otherwise`."""
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return HttpResponseRedirect(wanted if is_ours else otherwise)
