"""Check for settings that are unsafe in production; each message says what to change.

`manage.py serve` and `manage.py check --deploy` run these.
"""

from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connections

SERVING = "serving"
HIGHEST_PORT = 65535
Found = list[checks.CheckMessage]


def register() -> None:
    for check in (debug, site_url, proxies, processes, mail, provider):
        checks.register(_wrapped(check), SERVING, deploy=True)
    checks.register(connection_limit, SERVING, checks.Tags.database, deploy=True)


def debug() -> Found:
    if not settings.DEBUG:
        return []
    return [_error(2, "DEBUG shows code and settings to visitors.", "Remove DEBUG.")]


def site_url() -> Found:
    """Passwords and sessions must not travel in the clear."""
    if settings.SECURE or is_loopback(site_host()):
        return []
    return [
        _error(
            3,
            f"SITE_URL is {settings.SITE_URL}, so passwords travel unencrypted.",
            "Put a proxy with a certificate in front, and set SITE_URL to its https:// address.",
        )
    ]


def proxies() -> Found:
    if settings.SECURE and not settings.TRUSTED_PROXY_COUNT:
        return [
            _error(
                4,
                "SITE_URL begins with https://, which needs a proxy, but TRUSTED_PROXY_COUNT is 0:"
                " every request would be redirected to itself.",
                "Set TRUSTED_PROXY_COUNT to the number of your proxies, such as 1.",
            )
        ]
    is_open = not settings.SOCKET_DIR and not is_loopback(settings.HOST)
    if settings.TRUSTED_PROXY_COUNT and is_open:
        return [
            _warning(
                5,
                f"HOST is {settings.HOST}: whoever reaches the workers without the proxy can"
                " pretend to have any address.",
                "Set HOST=127.0.0.1, use SOCKET_DIR, or let only the proxy reach these ports.",
            )
        ]
    return []


def processes() -> Found:
    problems: Found = []
    last_port = settings.PORT + settings.WORKERS - 1
    if not settings.SOCKET_DIR and last_port > HIGHEST_PORT:
        hint = f"Choose a PORT up to {HIGHEST_PORT + 1 - settings.WORKERS}."
        problems.append(_error(6, f"The last worker would listen on port {last_port}.", hint))
    if settings.WORKERS > 1 and connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        problems.append(
            _warning(
                7,
                "SQLite lets only one worker write at a time, so more workers add little speed.",
                "Set DATABASE_URL to a PostgreSQL database.",
            )
        )
    is_alone = "InMemory" in settings.CHANNEL_LAYERS["default"]["BACKEND"]
    if settings.WORKERS > 1 and is_alone:
        problems.append(
            _warning(
                8,
                "Without Redis, pages are notified only of changes made in their own worker; others"
                " appear when the user returns to the tab.",
                "Set REDIS_URL.",
            )
        )
    return problems


def mail() -> Found:
    if settings.IS_MAILED or not settings.SECURE:
        return []
    what = "Emails, such as those that reset a password, are only saved as files."
    return [_warning(9, what, "Set EMAIL_URL.")]


def provider() -> Found:
    if settings.CLOUDFLARE_API_TOKEN or settings.WORKERS_AI_BASE_URL or not settings.SECURE:
        return []
    what = (
        "The environment names no model. Until one is connected in the page, the emulator answers."
    )
    hint = "Connect one under Site settings, or set CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN."
    return [_warning(10, what, hint)]


def connection_limit(databases: Sequence[str] | None = None, **_: Any) -> Found:
    """Compare what all workers may use with what PostgreSQL allows."""
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql" or DEFAULT_DB_ALIAS not in (databases or ()):
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('max_connections')::int"
            " - current_setting('superuser_reserved_connections')::int"
        )
        allowed = cursor.fetchone()[0]
    each = settings.DATABASES[DEFAULT_DB_ALIAS]["OPTIONS"]["pool"]["max_size"]
    if each * settings.WORKERS <= allowed:
        return []
    return [
        _warning(
            11,
            f"{settings.WORKERS} workers may use {each * settings.WORKERS} connections, but"
            f" PostgreSQL allows {allowed}.",
            f"Set DATABASE_CONNECTIONS to {max(5, allowed // settings.WORKERS)} or raise"
            " PostgreSQL's max_connections.",
        )
    ]


def site_host() -> str:
    """Return the host in SITE_URL, as in a `Host` header; the site accepts it in any case."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    return f"[{host}]" if ":" in host else host


def is_loopback(host: str) -> bool:
    """Return whether only this machine can use that address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _wrapped(check: Callable[[], Found]) -> Callable[..., Found]:
    def run(app_configs: Any = None, **_: Any) -> Found:
        return check()

    return run


def _error(number: int, what: str, hint: str) -> checks.Error:
    return checks.Error(what, hint=hint, id=f"runnel.E{number:03}")


def _warning(number: int, what: str, hint: str) -> checks.Warning:
    return checks.Warning(what, hint=hint, id=f"runnel.W{number:03}")
