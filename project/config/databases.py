"""Configure the database from its URL."""

from typing import Any

import dj_database_url

from project.config.env import env_int, env_str, stop

#: How long to wait for another writer before an error, which can be retried.
LOCK_SECONDS = 5


def read(default: str) -> dict[str, Any]:
    """Return Django's `DATABASES`, from the environment."""
    try:
        database: dict[str, Any] = dict(
            dj_database_url.parse(env_str("DATABASE_URL", "") or default)
        )
    except (ValueError, dj_database_url.UnknownSchemeError):
        stop("DATABASE_URL", "isn't a database address; write it like postgresql://user@host/name")
    # Under ASGI, a connection belongs to a thread that ends with the request, so keep none.
    database["CONN_MAX_AGE"] = 0
    connections = env_int("DATABASE_CONNECTIONS", 20, minimum=5)
    options: dict[str, Any] = database.setdefault("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        options.update(
            # Without IMMEDIATE, a transaction that reads first fails at once if another one writes.
            transaction_mode="IMMEDIATE",
            timeout=LOCK_SECONDS,
            init_command=(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-20000;"
                "PRAGMA journal_size_limit=67108864;"
            ),
        )
    elif database["ENGINE"] == "django.db.backends.postgresql":
        # Stay below the server's connection limit, however many requests arrive at once.
        options.update(pool={"min_size": 1, "max_size": connections, "timeout": 20})
        # A restarted server leaves dead connections in the pool.
        database["CONN_HEALTH_CHECKS"] = True
    else:
        stop("DATABASE_URL", "must name SQLite or PostgreSQL")
    return {"default": database}
