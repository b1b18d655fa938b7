"""Describe the database, its disk, and Redis."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from chat.database.migration_state import migration_state
from chat.lib import disk

#: How long to wait for Redis.
REDIS_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    kind: str
    version: str
    size_bytes: int
    pending_migrations: int
    connections: int | None = None  # of PostgreSQL, by everybody
    max_connections: int | None = None


class RedisState(StrEnum):
    UNUSED = "unused"
    CONNECTED = "connected"
    AWAY = "away"


def database_status() -> DatabaseStatus:
    pending = len(migration_state().missing)
    if connection.vendor == "sqlite":
        path = Path(str(connection.settings_dict["NAME"]))
        files = (path, path.with_name(f"{path.name}-wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        return DatabaseStatus("SQLite", _one("SELECT sqlite_version()"), size, pending)
    return DatabaseStatus(
        "PostgreSQL",
        str(_one("SHOW server_version")).partition(" ")[0],
        _one("SELECT pg_database_size(current_database())"),
        pending,
        _one("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"),
        int(_one("SHOW max_connections")),
    )


def free_bytes() -> int:
    """Return the free space for this process's files; PostgreSQL may be elsewhere."""
    return disk.free_bytes(settings.DATA_DIR)


def redis_state() -> RedisState:
    cache = settings.CACHES["default"]
    if "redis" not in cache["BACKEND"].lower():
        return RedisState.UNUSED
    from redis import Redis
    from redis.exceptions import RedisError

    limits = {"socket_connect_timeout": REDIS_SECONDS, "socket_timeout": REDIS_SECONDS}
    try:
        with Redis.from_url(cache["LOCATION"], **limits) as client:
            client.ping()
    except RedisError:
        return RedisState.AWAY
    return RedisState.CONNECTED


def _one(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]
