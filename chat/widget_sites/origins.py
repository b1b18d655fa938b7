"""Match the origins that may embed a site's chat: exact ones, or all subdomains of a name.

`https://www.example.org` matches only itself; `https://*.example.org` matches subdomains at any
depth, but not `https://example.org`. This is the syntax of content security policies, in which the
origins are used unchanged; so whatever such a policy cannot express (an IP address, a path) is
refused.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

import httpx
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.network_addresses import LOCAL

DEFAULT_PORTS = {"https": 443, "http": 80}
MAX_HOST_LENGTH = 253
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_LABELS = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
# Hosts that browsers parse as IPv4 addresses.
_NUMBERS = re.compile(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)")


def read_origin(text: str) -> str:
    """Return `text` as a canonical origin. Raise `BadRequest` with the problem."""
    scheme, _mark, rest = text.strip().partition("://")
    scheme = scheme.lower()
    if not rest or scheme not in DEFAULT_PORTS:
        raise BadRequest(_("Start with https://, for example https://www.example.org."))
    rest, is_below = rest.removeprefix("*."), rest.startswith("*.")
    host, port = _host_and_port(scheme, rest)
    if scheme == "http" and host not in LOCAL:
        raise BadRequest(_("Use https://. http:// is allowed only for localhost and 127.0.0.1."))
    if is_below and (host in LOCAL or "." not in host):
        raise BadRequest(_("Add your own domain after *. (as in *.example.org)."))
    return f"{scheme}://{'*.' if is_below else ''}{host}{port}"


def matches(origin: str, allowed: Iterable[str]) -> bool:
    """Return True if `origin`, as sent by a browser, matches one that `read_origin` returned."""
    return any(_covers(each, origin) for each in allowed)


def origin_of(url: str) -> str:
    """Return the origin of a URL as a browser would send it; empty if it has none."""
    try:
        parts = urlsplit(url.strip())
        scheme = parts.scheme.lower()
        host, port = _ascii(parts.hostname or ""), parts.port
    except ValueError:
        return ""
    if scheme not in DEFAULT_PORTS or not host:
        return ""
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}{_shown_port(scheme, port)}"


def _covers(pattern: str, origin: str) -> bool:
    scheme, is_below, rest = pattern.partition("://*.")
    if not is_below:
        return origin == pattern
    start, end = f"{scheme}://", f".{rest}"
    if not (origin.startswith(start) and origin.endswith(end)):
        return False
    return bool(_LABELS.fullmatch(origin[len(start) : -len(end)]))


def _host_and_port(scheme: str, rest: str) -> tuple[str, str]:
    if any(character.isspace() for character in rest):  # urlsplit would remove it
        raise BadRequest(_("This isn't a web address."))
    try:
        parts = urlsplit(f"//{rest}")
        host, port = _ascii(parts.hostname or ""), parts.port
    except ValueError:
        raise BadRequest(_("This isn't a web address.")) from None
    if host not in LOCAL and _NUMBERS.fullmatch(host):
        raise BadRequest(_("Enter a domain name. IP addresses aren't supported here."))
    if len(host) > MAX_HOST_LENGTH or not _LABELS.fullmatch(host) or port == 0:
        raise BadRequest(_("This isn't a web address."))
    if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        raise BadRequest(
            _("Enter only {origin}. It covers all pages there.").format(origin=f"{scheme}://{host}")
        )
    return host, _shown_port(scheme, port)


def _shown_port(scheme: str, port: int | None) -> str:
    return "" if port in {None, DEFAULT_PORTS[scheme]} else f":{port}"


def _ascii(host: str) -> str:
    """Return the host name in ASCII, with `xn--` labels for other letters."""
    if ":" in host:
        return host
    try:
        return httpx.URL(scheme="https", host=host).raw_host.decode().lower()
    except httpx.InvalidURL:
        raise ValueError(host) from None
