"""Redirect to a URL that a form names, if it is safe."""

from django.http import HttpResponseRedirect

from chat.lib.own_paths import is_own_path


def safe_redirect(wanted: str, otherwise: str) -> HttpResponseRedirect:
    """Redirect to `wanted` if it is a path of this site, else to `otherwise`."""
    return HttpResponseRedirect(wanted if is_own_path(wanted) else otherwise)
