"""Where a request comes from, as far as proxies of ours vouch for it."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"
PREFIX = 64  # one household's or one server's share of IPv6; it may change addresses within at will


def address_of(request: HttpRequest) -> str:
    """The client's address for counting: an IPv4 address, or the /64 network of an IPv6 one.

    Of `X-Forwarded-For` only what our own proxies appended counts, from the right; what stands left
    of that anybody may have written.
    """
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    count = min(settings.TRUSTED_PROXY_COUNT, len(forwarded))
    return (_read(forwarded[-count]) if count else "") or _read(_peer(request)) or UNKNOWN


def _peer(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR") or "")


def _read(text: str) -> str:
    """`text` as an address, without its port; empty if it is none."""
    try:
        found = ip_address(_without_port(text.strip()))
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found.packed, PREFIX), strict=False))


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
