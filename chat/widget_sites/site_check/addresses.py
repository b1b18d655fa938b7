"""Decide which addresses the server may fetch for a member: only public ones.

A name is resolved once, and the connection uses the address that was checked, which prevents DNS
rebinding.
"""

import asyncio
import socket

from django.conf import settings
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.network_addresses import is_loopback, is_public
from chat.widget_sites.origins import LOCAL

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
    if settings.CHECK_LOCAL_SITES and host in LOCAL and all(map(is_loopback, addresses)):
        return addresses
    may_be_asked = port in LOW_PORTS or port >= FIRST_HIGH_PORT
    if not (may_be_asked and all(map(is_public, addresses))):
        raise BadRequest(
            _("This website isn't on the public internet, so it can't be checked from here.")
        )
    return addresses
