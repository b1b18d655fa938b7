"""What a host's robots.txt allows (RFC 9309). Pure functions."""

from functools import lru_cache

from django.conf import settings
from protego import Protego

#: By which websites' robots.txt can name us.
NAME = "RunnelBot"
MAX_BYTES = 512 * 1024
#: Of a robots.txt, of which hosts may have any.
MAX_RULES, MAX_SITEMAPS, MAX_VALUE_CHARS = 500, 50, 1000
ANYBODY = "*"
RULES = frozenset({"allow", "disallow", "crawl-delay"})
LEAST_DELAY_SECONDS, MOST_DELAY_SECONDS = 0.5, 30.0
#: Their rules for robots begin with a name of one of these, or have none.
ANSWERS_FOR_ALL = frozenset({"noindex", "none"})


def user_agent() -> str:
    return f"{NAME}/1.0 (+{settings.SITE_URL})"


def own_part(robots: str) -> str:
    """Return what a robots.txt says to us, or else to all robots, and its sitemaps.

    Protego keeps each rule once for each robot that its group names, so it never reads the rest.
    """
    groups: dict[str, list[str]] = {NAME.lower(): [], ANYBODY: []}
    listed: list[str] = []
    found: set[str] = set()
    named: list[str] = []
    is_open = False  # more robots may be named
    for line in robots.removeprefix("\ufeff").splitlines():
        field, _colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()[:MAX_VALUE_CHARS]
        if field == "user-agent":
            named = named if is_open else []
            if value.lower() in groups:
                named.append(value.lower())
            is_open = True
        elif field == "sitemap":
            listed.append(f"Sitemap: {value}")
        elif field in RULES:
            is_open = False
            for name in named:
                groups[name].append(f"{field}: {value}")
        found.update(named)
    ours = groups[NAME.lower() if NAME.lower() in found else ANYBODY][:MAX_RULES]
    return "\n".join(["User-agent: *", *ours, *listed[:MAX_SITEMAPS]])


@lru_cache(maxsize=16)
def rules_of(robots: str) -> Protego:
    return Protego.parse(robots)


def may_fetch(robots: str, address: str) -> bool:
    return bool(rules_of(robots).can_fetch(address, NAME))


def delay_seconds(robots: str) -> float:
    """Return the time between two requests: half a second, or more if the host asks for that."""
    wanted = rules_of(robots).crawl_delay(NAME) or 0.0
    return min(MOST_DELAY_SECONDS, max(LEAST_DELAY_SECONDS, wanted))


def sitemaps_of(robots: str) -> list[str]:
    return list(rules_of(robots).sitemaps)


def forbids_indexing(values: list[str]) -> bool:
    """Return whether headers `X-Robots-Tag`, or `meta` elements, say noindex to everybody or us."""
    return any(_forbids(value.lower()) for value in values)


def _forbids(value: str) -> bool:
    name, colon, rest = value.partition(":")
    if colon and "," not in name and name.strip() not in {NAME.lower(), "unavailable_after"}:
        return False
    return not ANSWERS_FOR_ALL.isdisjoint(
        each.strip() for each in (rest if colon else value).split(",")
    )
