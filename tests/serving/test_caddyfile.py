"""deploy/Caddyfile logs no secrets, and lets uploads through to the site. tests/serving runs it."""

import re

from django.conf import settings

from project.asgi.entry_point import uploads
from tests.support.servers.caddy import CONFIG

CONFIGURED = CONFIG.read_text()
SECRET = "Zq9secret-8fW.tok_en"
MEGABYTE = 1000**2  # Caddy's


def logged(path: str) -> str:
    """Apply the filter of the log to a path with its query."""
    match = re.search(r"request>uri regexp (\S+) (\S+)", CONFIGURED)
    assert match
    pattern, replacement = match.groups()
    return re.sub(pattern, lambda found: replacement.replace("${1}", found[1] or ""), path)


def test_the_log_contains_only_the_first_part_of_a_path() -> None:
    assert logged(f"/s/{SECRET}/") == "/s/-"
    assert logged(f"/accounts/setup/{SECRET}/?next={SECRET}") == "/accounts/-"
    for path in (f"/{SECRET}", f"//s/{SECRET}", f"/s{SECRET}/", f"/{SECRET}/s/", f"/?q={SECRET}"):
        assert logged(path) == "-"


def test_nothing_else_quotes_requests() -> None:
    assert "exclude http.log.access http.log.error http.handlers.reverse_proxy" in CONFIGURED
    deleted = re.findall(r"^\s+(\S+) delete$", CONFIGURED, re.MULTILINE)
    assert set(deleted) == {
        "request>headers",
        "request>host",
        "request>remote_ip",
        "request>remote_port",
        "request>client_ip",
        "request>tls",
        "resp_headers",
        "user_id",
    }


def test_the_proxy_accepts_longer_bodies_than_the_site() -> None:
    sizes = dict(re.findall(r"request_body @(\w+) \{\s+max_size (\d+)MB", CONFIGURED))
    assert int(sizes["others"]) * MEGABYTE > settings.MAX_BODY_BYTES
    assert int(sizes["uploads"]) * MEGABYTE > max(uploads().values())
    for matcher in ("@uploads path", "@others not path"):
        assert f"{matcher} {' '.join(uploads())}\n" in CONFIGURED


def test_the_proxy_waits_longer_for_bodies_than_the_site() -> None:
    seconds = re.search(r"read_body (\d+)s", CONFIGURED)
    assert seconds
    assert int(seconds[1]) > settings.BODY_SECONDS
