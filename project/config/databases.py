"""Configure the database from its URL."""

from typing import Any

import dj_database_url

from project.config.env import env_bool, env_float, env_int, env_str, in_project, stop

IN_MEMORY = ":memory:"
#: How long to wait for another writer before an error, which can be retried.
LOCK_SECONDS = 5
#: How long to wait for a free or new connection to PostgreSQL.
CHECKOUT_SECONDS = 3
#: Attempts of the pool to connect again double their intervals for as long as this, then begin
#: anew with the next request. A longer time would delay the return after an outage.
RECONNECT_SECONDS = 1
#: Executions of a statement before a connection prepares it.
PREPARE_THRESHOLD = 3
#: How much longer to wait for the server than it may take for a statement.
SERVER_GRACE_SECONDS = 1.0
#: Limits for statements and idle transactions in server processes; 0: none. PostgreSQL has them as
#: milliseconds in 32 bits.
STATEMENT_SECONDS = env_float("DATABASE_STATEMENT_SECONDS", 10, maximum=2**31 // 1000 - 1)
#: When the system gives up a connection that nobody acknowledges.
TCP_LIMITS = {
    "connect_timeout": CHECKOUT_SECONDS,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}


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
    prepares_statements = env_bool("DATABASE_PREPARED_STATEMENTS", default=True)
    options: dict[str, Any] = database.setdefault("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        if database["NAME"] != IN_MEMORY:
            database["NAME"] = str(in_project(database["NAME"]))
        options.update(
            # Without IMMEDIATE, a transaction that reads first fails at once if another one writes.
            transaction_mode="IMMEDIATE",
            timeout=LOCK_SECONDS,
            init_command=(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4000;"
                "PRAGMA journal_size_limit=67108864;"
                "PRAGMA secure_delete=ON;"  # overwrites what is deleted
            ),
        )
    elif database["ENGINE"] == "django.db.backends.postgresql":
        from chat.database.postgresql.connection_timeout import ConnectionWithTimeout

        database["ENGINE"] = "chat.database.postgresql"
        # What the address says has priority.
        database["OPTIONS"] = options = TCP_LIMITS | options
        # Stay below the server's connection limit, however many requests arrive at once.
        options["pool"] = {
            "min_size": 1,
            "max_size": connections,
            "timeout": CHECKOUT_SECONDS,
            "reconnect_timeout": RECONNECT_SECONDS,
            "connection_class": ConnectionWithTimeout,
        }
        if prepares_statements:
            # The server parses and plans a statement once for each connection.
            options["server_side_binding"] = True
            options["prepare_threshold"] = PREPARE_THRESHOLD
        # Server-side cursors outside of transactions need the same connection, too.
        database["DISABLE_SERVER_SIDE_CURSORS"] = not prepares_statements
        # A restarted server leaves dead connections in the pool.
        database["CONN_HEALTH_CHECKS"] = True
    else:
        stop("DATABASE_URL", "must name SQLite or PostgreSQL")
    return {"default": database}


def statement_limits() -> str:
    """Return the `options` with which server processes connect; empty if there are no limits."""
    if not STATEMENT_SECONDS:
        return ""
    limits = {
        "statement_timeout": STATEMENT_SECONDS,
        "lock_timeout": min(LOCK_SECONDS, STATEMENT_SECONDS),
        "idle_in_transaction_session_timeout": STATEMENT_SECONDS,
    }
    return " ".join(f"-c {name}={round(seconds * 1000)}" for name, seconds in limits.items())


def limit_statements(databases: dict[str, dict[str, Any]]) -> None:
    """Limit statements and idle transactions, in server processes: a migration may take longer.

    A transaction whose client is gone without a word would keep its locks for hours.
    """
    database = databases["default"]
    if database["ENGINE"] != "chat.database.postgresql" or not STATEMENT_SECONDS:
        return
    options = database["OPTIONS"].get("options", "")
    database["OPTIONS"]["options"] = f"{statement_limits()} {options}".strip()
    database["ANSWER_TIMEOUT_SECONDS"] = STATEMENT_SECONDS + SERVER_GRACE_SECONDS
