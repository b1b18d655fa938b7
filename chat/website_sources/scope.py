"""Which addresses belong to a source. Pure functions.

Rules are paths, such as `/help/`, which includes all below it, or have `*` for anything, such as
`/*/archive/*`.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from chat.website_sources.models import WebsiteSource
from chat.widget_sites.origins import origin_of


def contains(source: WebsiteSource, address: str) -> bool:
    """Return whether a source may read the address: on its host, and as its rules say."""
    return bool(inside(source, [address]))


def inside(source: WebsiteSource, addresses: Iterable[str]) -> list[str]:
    """Return those of the addresses, written in our way, that a source may read."""
    start = f"{origin_of(source.address)}/"
    return [each for each in addresses if each.startswith(start) and _is_inside(source, each)]


def _is_inside(source: WebsiteSource, address: str) -> bool:
    if source.kind == source.Kind.PAGE:
        return address == source.address
    if address == source.address and source.follows_links:
        return True
    return is_chosen(address, source.includes, source.excludes)


def is_chosen(address: str, includes: Sequence[str], excludes: Sequence[str]) -> bool:
    parts = urlsplit(address)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if any(_covers(rule, path) for rule in excludes):
        return False
    return not includes or any(_covers(rule, path) for rule in includes)


def _covers(rule: str, path: str) -> bool:
    if "*" not in rule:
        return path.startswith(rule)
    # Brackets and question marks stand for themselves.
    return fnmatchcase(path, rule.replace("[", "[[]").replace("?", "[?]"))
