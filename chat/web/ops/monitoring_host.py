"""Accept requests of monitors under the address of a process, which isn't a name of the site.

Prometheus, load balancers and containers ask for `/readyz` or `/metrics` by address. A page of
another site could pretend to be this one only with a domain name of its own (DNS rebinding), so
an address, or a name without a dot, is safe here.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from chat.lib.network_addresses import is_address

#: Key of the `Host` that was sent, in `request.META`.
NAMED_HOST = "runnel.named_host"
PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
#: It needs a token, and says which host arrived.
CHECKED_PATH = "/streamz"


def accept_address(request: HttpRequest) -> None:
    """Let a request of a monitor count as one to the site's own name."""
    path = request.path_info
    if path not in PATHS and path != CHECKED_PATH:
        return
    named = str(request.META.get("HTTP_HOST", ""))
    if path == CHECKED_PATH or _is_internal(named):
        request.META[NAMED_HOST] = named
        request.META["HTTP_HOST"] = urlsplit(settings.SITE_URL).netloc


def named_host(request: HttpRequest) -> str:
    """Return the `Host` that the client or its proxy sent."""
    return str(request.META.get(NAMED_HOST, request.META.get("HTTP_HOST", "")))


def _is_internal(host: str) -> bool:
    domain, _port = split_domain_port(host)
    if not domain:
        return not host  # HTTP/1.0 names none
    return is_address(domain.strip("[]")) or "." not in domain
