"""deploy/nginx.conf logs no secrets, and lets uploads through to the site."""

import re

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from project.asgi.entry_point import uploads
from tests.support.servers.nginx import CONFIG

CONFIGURED = CONFIG.read_text()
SECRET = "Zq9secret-8fW.tok_en"
#: The variables that a log line may contain. `$area` is the map tested below.
HARMLESS = {
    "time_iso8601",
    "request_method",
    "area",
    "status",
    "request_time",
    "bytes_sent",
    "request_id",
}
SIZES = {"k": 1024, "m": 1024**2}


def found(pattern: str, text: str = CONFIGURED) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


def area_of(path: str) -> str:
    """Apply nginx's map to a path: the first matching expression, or the default."""
    body = found(r"map \$uri \$area \{([^}]*(?:\}[^}]*)*?)\n    \}")
    default = found(r"default (\S+);", body)
    for pattern, value in re.findall(r'^\s+"?~(\S+?)"? ("?\S+"?);$', body, re.MULTILINE):
        if match := re.search(pattern.replace("(?<", "(?P<"), path):
            value = value.strip('"').replace("$uri", path)
            for name, part in match.groupdict().items():
                value = value.replace(f"${name}", part)
            return value
    return default


def paths(patterns: list[URLPattern | URLResolver], before: str = "/") -> list[str]:
    """Return a path for each route, with a secret as each argument."""
    listed = []
    for each in patterns:
        text = str(each.pattern)
        if not each.pattern.converters and "(?P" in text:  # a regular expression
            text = re.sub(r"\(\?P<\w+>.*?\)", SECRET, text.strip("^$"))
        here = before + re.sub(r"<[^>]*>", SECRET, text)
        if isinstance(each, URLResolver):
            listed += paths(each.url_patterns, here)
        else:
            listed.append(here)
    return listed


def test_the_log_contains_nothing_from_a_path() -> None:
    listed = paths(get_resolver().url_patterns)
    with_secret = [path for path in listed if SECRET in path]
    assert len(with_secret) > 60
    assert any(path.startswith(f"/s/{SECRET}") for path in with_secret)
    assert any(path.startswith("/accounts/password/reset/key/") for path in with_secret)
    for path in [*with_secret, f"/{SECRET}", f"//s/{SECRET}", f"/s{SECRET}/", f"/{SECRET}/s/"]:
        assert SECRET not in area_of(path), path


def test_the_log_names_the_part_of_the_site() -> None:
    assert area_of(f"/s/{SECRET}/") == "/s/-"
    assert area_of(f"/accounts/setup/{SECRET}/") == "/accounts/-"
    assert area_of("/healthz") == "/healthz"
    assert area_of("/w.js") == "/w.js"


def test_the_log_format_has_only_harmless_variables() -> None:
    line = found(r"log_format discreet '([^']*)'")
    assert set(re.findall(r"\$(\w+)", line)) == HARMLESS
    assert re.findall(r"access_log \S+ (\w+);", CONFIGURED) == ["discreet"]


def test_request_errors_are_not_logged() -> None:
    """Lines of the error log would quote the request with its path."""
    of_requests = CONFIGURED.partition("\nhttp {")[2]
    assert re.findall(r"error_log \S+ (\w+);", of_requests) == ["emerg"]


def bytes_of(size: str) -> int:
    return int(size[:-1]) * SIZES[size[-1]]


def test_the_proxy_accepts_longer_bodies_than_the_site() -> None:
    bodies = found(r"\n    client_max_body_size (\w+);")
    assert bytes_of(bodies) > settings.MAX_BODY_BYTES
    for path, max_bytes in uploads().items():
        location = rf"location = {re.escape(path)} \{{[^}}]*client_max_body_size (\w+);"
        assert bytes_of(found(location)) > max_bytes, path
