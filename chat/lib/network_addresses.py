"""Tell public addresses from those of this machine and of private networks. Pure functions."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

#: Names of this machine.
LOCAL = frozenset({"localhost", "127.0.0.1"})
GLOBAL_UNICAST = IPv6Network("2000::/3")
#: Public according to Python, but they reach nearby infrastructure: a cloud's host, relays.
NOT_PUBLIC = (
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
)
#: Networks that an operator may have servers in (RFC 1918, RFC 4193). Link-local addresses, where
#: clouds have their metadata, are not among them.
PRIVATE_IPV4 = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
PRIVATE_IPV6 = IPv6Network("fc00::/7")
#: The metadata service of some clouds, though in a private network.
METADATA_IPV6 = IPv6Address("fd00:ec2::254")


def is_public(address: str) -> bool:
    """Return True if the address is public; embedded IPv4 addresses are checked too."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv4Address):
        is_near = any(parsed in network for network in NOT_PUBLIC)
        return parsed.is_global and not parsed.is_multicast and not is_near
    return parsed in GLOBAL_UNICAST and parsed.is_global and not _carries_another(parsed)


def is_own_network(address: str) -> bool:
    """Return True if the address is this machine's or in a private network."""
    parsed = _parsed(address)
    if parsed.is_loopback:
        return True
    if isinstance(parsed, IPv4Address):
        return any(parsed in network for network in PRIVATE_IPV4)
    return parsed in PRIVATE_IPV6 and parsed != METADATA_IPV6


def is_address(host: str) -> bool:
    """Return whether a host is an IP address and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    return ip_address(address.partition("%")[0]).is_loopback


def _parsed(address: str) -> IPv4Address | IPv6Address:
    parsed = ip_address(address.partition("%")[0])
    return parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed


def _carries_another(address: IPv6Address) -> bool:
    return address.sixtofour is not None or address.teredo is not None
