"""Where a form leads on to, as the page says that held it."""

from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def safe_redirect(wanted: str, otherwise: str) -> HttpResponseRedirect:
    """To `wanted` where that is a path of this site; else to `otherwise`, which is one."""
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return HttpResponseRedirect(wanted if is_ours else otherwise)
