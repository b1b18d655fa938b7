"""Compare the rows of a running site's database before and after an attack."""

import hashlib
import sqlite3
from collections.abc import Collection
from contextlib import closing

from tests.support.servers.server import Server

#: Rows that the site's own clockwork changes, or derives from messages some seconds after they were
#: written, or that record that somebody was there.
OF_THE_PROCESS = frozenset(
    {
        "chat_worker", "chat_cache", "chat_dailyusage", "chat_dailyerrors", "chat_dailylanguages",
        "chat_dailytopics", "chat_rolledupday", "sqlite_sequence", "django_session",
        "chat_usersession", "chat_delivery", "chat_pendingrulecheck", "chat_messagelanguage",
        "chat_messagepersonaldata", "chat_personaldatascan", "chat_conversationstats", "chat_unansweredquestion", "chat_gap",
    }
)  # fmt: skip


def digests(server: Server, without: Collection[str] = ()) -> dict[str, str]:
    """Return a digest of the rows of each table, by the name of the table."""
    found = {}
    with closing(connected(server)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            if name not in OF_THE_PROCESS and name not in without:
                rows = sorted(map(repr, database.execute(f'SELECT * FROM "{name}"')))
                found[name] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Return the names of the tables whose rows differ."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def value(server: Server, statement: str, *parameters: object) -> object:
    """Return the first value of a query; None if there is no row."""
    with closing(connected(server)) as database:
        row = database.execute(statement, parameters).fetchone()
    return row[0] if row else None


def connected(server: Server) -> sqlite3.Connection:
    path = server.data_dir / "runnel.sqlite3"
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
