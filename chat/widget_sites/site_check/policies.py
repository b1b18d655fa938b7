"""Parse content security policies and match what they allow, as CSP 3 defines."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from chat.widget_sites.origins import DEFAULT_PORTS, origin_of

Policy = dict[str, list[str]]
SCRIPT = ("script-src-elem", "script-src", "default-src")
FRAME = ("frame-src", "child-src", "default-src")
#: Of all policies of a page. Servers refuse longer headers, and each source takes time.
MAX_POLICY_CHARS = 32_000
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")
_HOST = re.compile(r"(?:([a-z][a-z0-9+.-]*)://)?([^/:]+)(?::(\*|[0-9]+))?(/[^?#]*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Load:
    """Something that a page loads: the directives that apply in order, its URL and nonce."""

    chain: Sequence[str]
    url: str
    nonce: str = ""


def parse(texts: Iterable[str]) -> list[Policy]:
    """Return all policies; a header or `meta` may contain several, and all apply.

    What is beyond `MAX_POLICY_CHARS` is ignored.
    """
    policies, room = [], MAX_POLICY_CHARS
    for text in texts:
        policies += [_parse_one(each) for each in text[:room].split(",") if each.strip()]
        room = max(0, room - len(text))
    return policies


def allows(policies: list[Policy], load: Load, page_url: str) -> bool:
    return all(_allows(policy, load, page_url) for policy in policies)


def forbids_scripts(policies: list[Policy]) -> bool:
    """Return True if a sandbox blocks scripts."""
    return any(
        "allow-scripts" not in policy.get("sandbox", ["allow-scripts"]) for policy in policies
    )


def _parse_one(text: str) -> Policy:
    policy: Policy = {}
    for directive in text.split(";"):
        name, *values = directive.split() or [""]
        if name:
            policy.setdefault(name.lower(), values)  # the first of duplicates counts
    return policy


def _allows(policy: Policy, load: Load, page_url: str) -> bool:
    name = next((each for each in load.chain if each in policy), None)
    if name is None:
        return True
    sources = policy[name]
    if load.nonce and f"'nonce-{load.nonce}'" in sources:
        return True
    if load.chain is SCRIPT and "'strict-dynamic'" in map(str.lower, sources):
        return False  # URLs are ignored with it
    return any(_matches(source, load.url, page_url) for source in sources)


def _matches(source: str, url: str, page_url: str) -> bool:
    scheme = urlsplit(url).scheme
    lowered = source.lower()
    if lowered == "*":
        return True
    if lowered == "'self'":
        return origin_of(url) == origin_of(page_url)
    if _SCHEME.fullmatch(lowered):
        return _scheme_matches(lowered[:-1], scheme)
    match = _HOST.fullmatch(source)
    if not match or source.startswith("'"):
        return False
    own_scheme = (match[1] or urlsplit(page_url).scheme).lower()
    return (
        _scheme_matches(own_scheme, scheme)
        and _host_matches(match[2].lower(), urlsplit(url).hostname or "")
        and _port_matches(match[3], url)
        and _path_matches(match[4] or "", urlsplit(url).path)
    )


def _scheme_matches(allowed: str, scheme: str) -> bool:
    return scheme == allowed or (allowed, scheme) == ("http", "https")


def _host_matches(allowed: str, host: str) -> bool:
    return host.endswith(allowed[1:]) if allowed.startswith("*.") else host == allowed


def _port_matches(allowed: str | None, url: str) -> bool:
    parts = urlsplit(url)
    default = DEFAULT_PORTS.get(parts.scheme)
    port = parts.port or default
    if allowed is None:
        return port == default
    return allowed in {"*", str(port)} or (allowed, port) == ("80", 443)


def _path_matches(allowed: str, path: str) -> bool:
    if allowed in {"", "/"}:
        return True
    return path.startswith(allowed) if allowed.endswith("/") else path == allowed
