"""Determine the client's address, as far as trusted proxies confirm it."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"
# The share of one household or server in IPv6, within which it may change addresses freely.
PREFIX = 64


def client_address(request: HttpRequest) -> str:
    """Return the client's address for counting: an IPv4 address, or an IPv6 /64 network."""
    peer = str(request.META.get("REMOTE_ADDR") or "")
    return address_of(request.headers.get("X-Forwarded-For", ""), peer)


def address_of(forwarded_for: str, peer: str) -> str:
    """Return what `client_address` returns, of a connection from `peer`.

    Of `X-Forwarded-For` only the entries that trusted proxies appended count, from the right; those
    to the left can be forged.
    """
    forwarded = forwarded_for.split(",")
    count = min(settings.TRUSTED_PROXY_COUNT, len(forwarded))
    return (_read(forwarded[-count]) if count else "") or _read(peer) or UNKNOWN


def _read(text: str) -> str:
    """Return `text` as an address without its port; empty if it is none."""
    try:
        address = ip_address(_without_port(text.strip()))
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address.packed, PREFIX), strict=False))


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
