"""Find out why server processes couldn't use PostgreSQL: connect as they do, and look closer.

A pooler such as PgBouncer in transaction mode gives each transaction another connection. Before its
version 1.21, statements that were prepared in one are missing, or already there, in the next.
"""

from typing import Any

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName

from chat.database.problem import DatabaseProblem, unreachable

ENCODING = "UTF8"
#: A busy pooler may give a probe another connection than the one before it.
PROBES = 3


def find() -> DatabaseProblem | None:
    """Return what is wrong, in words; None if nothing is."""
    params = _params_of_server_process()
    try:
        with psycopg.connect(**params) as connection:
            return _problem_of(connection) or _problem_of_pooler(connection, params)
    except psycopg.Error as error:
        if "unsupported startup parameter" in str(error):
            return _pooler(str(error).strip().rpartition(":")[2].strip())
        return unreachable(error)


def _params_of_server_process() -> dict[str, Any]:
    params: dict[str, Any] = connections[DEFAULT_DB_ALIAS].get_connection_params()
    params["options"] = f"{settings.DATABASE_LIMITS} {params.get('options', '')}".strip()
    return {name: value for name, value in params.items() if name != "options" or value}


def _problem_of(connection: Any) -> DatabaseProblem | None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != ENCODING:
        return DatabaseProblem(
            f"The database's encoding is {encoding}, in which texts of most languages are lost.",
            "Create it anew: createdb --template=template0 --encoding=UTF8 ….",
        )
    if connection.execute("SHOW transaction_read_only").fetchone() == ("on",):
        return DatabaseProblem(
            "PostgreSQL takes no writes: it is a standby, or set to read only.",
            "Promote it, or let DATABASE_URL name the primary server.",
        )
    return None


def _problem_of_pooler(connection: Any, params: dict[str, Any]) -> DatabaseProblem | None:
    own = connection.info.backend_pid  # a pooler tells a number of its own
    if connection.execute("SELECT pg_backend_pid()").fetchone() == (own,):
        return None
    if params.get("prepare_threshold") is None:
        return None
    connection.close()
    is_lost = any(_loses_statements(params) for _ in range(PROBES))
    return _pooler("prepared statements") if is_lost else None


def _loses_statements(params: dict[str, Any]) -> bool:
    """Return whether a prepared statement outlives the connection that made it."""
    try:
        for _ in range(2):
            with psycopg.connect(**params) as connection:
                connection.execute("SELECT 1", prepare=True)
    except (DuplicatePreparedStatement, InvalidSqlStatementName):
        return True
    finally:
        with psycopg.connect(**params) as connection:
            connection.execute("DEALLOCATE ALL", prepare=False)
    return False


def _pooler(what: str) -> DatabaseProblem:
    return DatabaseProblem(
        "DATABASE_URL leads to a connection pooler, such as PgBouncer, that doesn't support"
        f" {what}.",
        "Set DATABASE_STATEMENT_SECONDS=0 and DATABASE_PREPARED_STATEMENTS=no, or connect to"
        " PostgreSQL itself.",
    )
