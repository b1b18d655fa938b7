"""Name a problem with the database in one line, and say what to do: for commands and `doctor`.

The log of a server process has no texts of exceptions, which may contain people's data. These come
from connecting alone, and contain none.
"""

import re
from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connections

from chat.database import errors as database_errors

#: What PostgreSQL says when connecting → what to do.
ADVICE = (
    (
        r"password authentication failed|no password",
        "Correct the password in DATABASE_URL.",
    ),
    (r'role ".*" does not exist', "Create that role, or correct the user in DATABASE_URL."),
    (r'database ".*" does not exist|no such', "Create it, or correct the name in DATABASE_URL."),
    (r"translate host name|resolve host", "Correct the host in DATABASE_URL."),
    (r"pg_hba\.conf", "Allow this connection in pg_hba.conf, or correct DATABASE_URL."),
)
START_SERVER = "Start the database server, and compare DATABASE_URL with its address."


@dataclass(frozen=True, slots=True)
class DatabaseProblem:
    message: str
    advice: str

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


def unreachable(error: BaseException) -> DatabaseProblem:
    """Return the line for an error when connecting."""
    reason = first_line(error)
    if connections[DEFAULT_DB_ALIAS].vendor != "postgresql":
        name = connections[DEFAULT_DB_ALIAS].settings_dict["NAME"]
        if database_errors.is_read_only(error):
            return read_only(reason)
        message, advice = (
            f"SQLite can't be reached: {reason}.",
            f"Look at the file {name} and its disk.",
        )
        if "file is not a database" in reason:
            advice = f"Move the file {name} away, or restore a backup."
        return DatabaseProblem(message, advice)
    matching = (words for pattern, words in ADVICE if re.search(pattern, reason))
    advice = next(matching, START_SERVER)
    return DatabaseProblem(f"PostgreSQL can't be reached: {reason}.", advice)


def first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].removesuffix(".")


def read_only(reason: str) -> DatabaseProblem:
    return DatabaseProblem(
        f"The database takes no writes: {reason}.",
        "Make it writable; a standby takes no writes until it is promoted.",
    )
