"""The database, as its address says."""

from typing import Any

import dj_database_url

from project.config.env import env_int, env_str, stop

#: Whoever waits for another writer is told after so long, and can try again.
LOCK_SECONDS = 5


def read(default: str) -> dict[str, Any]:
    """Django's `DATABASES`, from the environment."""
    try:
        database: dict[str, Any] = dict(
            dj_database_url.parse(env_str("DATABASE_URL", "") or default)
        )
    except (ValueError, dj_database_url.UnknownSchemeError):
        stop("DATABASE_URL", "is not a database address; write it like postgresql://user@host/name")
    # Under ASGI a connection belongs to a thread that comes and goes with the request: keep none.
    database["CONN_MAX_AGE"] = 0
    connections = env_int("DATABASE_CONNECTIONS", 20, minimum=5)
    options: dict[str, Any] = database.setdefault("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        options.update(
            # Without IMMEDIATE a transaction that reads first fails at once when another writes.
            transaction_mode="IMMEDIATE",
            timeout=LOCK_SECONDS,
            init_command=(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-20000;"
                "PRAGMA journal_size_limit=67108864;"
            ),
        )
    elif database["ENGINE"] == "django.db.backends.postgresql":
        # However many requests come at once, they do not find the server's limit on connections.
        options.update(pool={"min_size": 1, "max_size": connections, "timeout": 20})
        database["CONN_HEALTH_CHECKS"] = True  # a restarted server leaves dead ones in the pool
    else:
        stop("DATABASE_URL", "must name SQLite or PostgreSQL")
    return {"default": database}
