"""Find out why the database can't be used."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from chat.database import errors as database_errors
from chat.database.problem import DatabaseProblem, first_line, read_only, unreachable

#: No privilege; no schema to create tables in.
NO_RIGHT = frozenset({"42501", "3F000"})


def find_problem() -> DatabaseProblem | None:
    """Connect as a server process does, but not through the pool, which gives no reasons.

    Return what is wrong; None if nothing is.
    """
    try:
        if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
            from chat.database.postgresql import server_problem

            return server_problem.find()
        return _file_problem()
    except (DatabaseError, InterfaceError, OSError) as error:
        return unreachable(error)


def problem_of(error: BaseException) -> DatabaseProblem | None:
    """Explain an error of a command; None for what isn't the fault of the set-up."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    if problem := find_problem():
        return problem
    if database_errors.is_full(error):
        return DatabaseProblem(
            f"The database has no room: {first_line(error)}.", "Free some space on its disk."
        )
    if database_errors.is_read_only(error):
        return read_only(first_line(error))
    if getattr(_root(error), "sqlstate", None) in NO_RIGHT:
        return DatabaseProblem(
            f"PostgreSQL refuses: {first_line(_root(error))}.",
            "Make the user in DATABASE_URL the owner of the database: ALTER DATABASE … OWNER TO ….",
        )
    if database_errors.is_locked(error):
        message = f"Another program keeps the database locked: {first_line(error)}."
        return DatabaseProblem(message, "End that program, or wait, and try again.")
    return None


def _file_problem() -> DatabaseProblem | None:
    """Open SQLite's file and take its write lock."""
    connection: Any = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM sqlite_master")
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute("ROLLBACK")
    except DatabaseError as error:
        if database_errors.is_locked(error):
            return None  # it is in use, as it is by a running site
        raise
    finally:
        connection.close()
    return None


def _root(error: BaseException) -> BaseException:
    """Return the error of the driver: Django wraps it, and its migrations wrap that."""
    while below := error.__cause__ or error.__context__:
        error = below
    return error
