"""Who may open a WebSocket: pages of this site, and no other program behind the same name.

Browsers hold no WebSocket back for its origin, and send cookies along; so the origin is compared
exactly: scheme, host and port.
"""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": 80, "https": 443}


class SameOriginValidator:
    """ASGI middleware: refuses every handshake that no page of this site has asked for."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        allowed = _is_own_page(scope["headers"])
        await (self.application if allowed else WebsocketDenier())(scope, receive, send)


def _is_own_page(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether `Origin` is SITE_URL's, or that of another allowed host by which it was asked.

    The scheme is always SITE_URL's: behind a proxy the connection says nothing about it.
    """
    origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
    hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
    if len(origins) != 1 or len(hosts) != 1:
        return False
    site = urlsplit(settings.SITE_URL)
    return origins[0] in {
        origin_of(site.scheme, site.netloc),
        origin_of(site.scheme, hosts[0]) if _is_allowed(hosts[0]) else "",
    } - {""}


def origin_of(scheme: str, host: str) -> str:
    """Return the origin as browsers write it: in lower case, without the scheme's own port."""
    host = host.lower()
    return f"{scheme}://{host.removesuffix(f':{DEFAULT_PORTS[scheme]}')}"


def _is_allowed(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
