"""Decide which addresses the server may fetch for a member: only public ones.

A name is resolved once, and the connection uses the address that was checked, which prevents DNS
rebinding.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.widget_sites.origins import LOCAL

GLOBAL_UNICAST = IPv6Network("2000::/3")
#: Public according to Python, but they reach nearby infrastructure: a cloud's host, relays.
NOT_PUBLIC = (
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
)
#: Other services than web servers listen below 1024, and a request might affect them.
LOW_PORTS = frozenset({80, 443})
FIRST_HIGH_PORT = 1024


async def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of `host`, IPv4 first. Raise `BadRequest` if one may not be fetched."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadRequest(_("No website was found at this address.")) from None
    addresses = sorted({str(each[4][0]) for each in found}, key=lambda each: (":" in each, each))
    if settings.CHECK_LOCAL_SITES and host in LOCAL and all(map(_is_loopback, addresses)):
        return addresses
    may_be_asked = port in LOW_PORTS or port >= FIRST_HIGH_PORT
    if not (may_be_asked and all(map(is_public, addresses))):
        raise BadRequest(
            _("This website isn't on the public internet, so it can't be checked from here.")
        )
    return addresses


def is_public(address: str) -> bool:
    """Return True if the address is public; embedded IPv4 addresses are checked too."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv4Address):
        is_near = any(found in network for network in NOT_PUBLIC)
        return found.is_global and not found.is_multicast and not is_near
    if found.ipv4_mapped:
        return is_public(str(found.ipv4_mapped))
    return found in GLOBAL_UNICAST and found.is_global and not _carries_another(found)


def _carries_another(address: IPv6Address) -> bool:
    return address.sixtofour is not None or address.teredo is not None


def _is_loopback(address: str) -> bool:
    return ip_address(address.partition("%")[0]).is_loopback
