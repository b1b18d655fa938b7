"""Accept WebSocket handshakes only from pages of this site.

Browsers open WebSockets across origins and send cookies along, so the origin is compared exactly:
scheme, host and port.
"""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": 80, "https": 443}


class SameOriginValidator:
    """ASGI middleware that refuses handshakes that no page of this site started."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        allowed = _is_own_page(scope["headers"])
        await (self.application if allowed else WebsocketDenier())(scope, receive, send)


def _is_own_page(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return True if `Origin` is SITE_URL's origin or that of the allowed host in `Host`.

    The scheme is always SITE_URL's: behind a proxy, the connection does not reveal it.
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
    """Return the origin as browsers write it: in lower case, without the scheme's default port."""
    host = host.lower()
    return f"{scheme}://{host.removesuffix(f':{DEFAULT_PORTS[scheme]}')}"


def _is_allowed(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
