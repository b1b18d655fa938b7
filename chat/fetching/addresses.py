"""Decide which addresses the server may fetch for a member: only public ones.

A name is resolved once, and the connection uses the address that was checked, which prevents DNS
rebinding.
"""

import asyncio
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.network_addresses import LOCAL, is_loopback, is_public

#: Other services than web servers listen below 1024, and a request might affect them.
LOW_PORTS = frozenset({80, 443})
FIRST_HIGH_PORT = 1024
#: Decides about an IP address, instead of the rule for what members enter.
MayConnect = Callable[[str], bool]


def may_be_requested(url: str) -> bool:
    """Return False if a request to `url` is refused before its name is looked up."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if parts.username is not None or parts.password is not None:
        return False
    if settings.CHECK_LOCAL_SITES and host in LOCAL:
        return True
    try:
        is_reachable = is_public(host)
    except ValueError:  # a name
        is_reachable = "." in host and not host.endswith((".localhost", ".local", ".internal"))
    return is_reachable and _may_be_asked(port)


def _may_be_asked(port: int) -> bool:
    return port in LOW_PORTS or port >= FIRST_HIGH_PORT


async def addresses_of(host: str, port: int, may_connect: MayConnect | None = None) -> list[str]:
    """Return the addresses of `host`, IPv4 first. Raise `BadRequest` if one may not be fetched."""
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadRequest(_("No website was found at this address."), detail="no_host") from None
    addresses = sorted({str(each[4][0]) for each in infos}, key=lambda each: (":" in each, each))
    is_local = may_connect is None and settings.CHECK_LOCAL_SITES and host in LOCAL
    if is_local and all(map(is_loopback, addresses)):
        return addresses
    if not (_may_be_asked(port) and all(map(may_connect or is_public, addresses))):
        raise BadRequest(
            _("This website isn't on the public internet, so it can't be checked from here."),
            detail="not_public",
        )
    return addresses
