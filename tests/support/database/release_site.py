"""A database for tests of released schemas, and a process of the site that works with it."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.support.database.database_templates import copy_sqlite
from tests.support.database.postgres import address_of, empty_database, migrated_database
from tests.support.servers.server import environment
from tests.support.servers.shell import Shell

CALL = """
import json
from tests.support.database import previous_version
print(json.dumps(previous_version.{call}))
"""


class ReleaseSite:
    """A new database: on the PostgreSQL server `server`, or else of SQLite, in `folder`.

    It is empty, or as the migrations of this version leave it.
    """

    def __init__(self, folder: Path, server: str = "", is_migrated: bool = False) -> None:
        self.file = folder / "runnel.sqlite3"
        self.address = ""
        if server:
            make = migrated_database if is_migrated else empty_database
            self.address = address_of(server, make(server))
        elif is_migrated:
            copy_sqlite(self.file)
        settings = {"DATABASE_URL": self.address} if server else {}
        self._shell = Shell(environment(folder, 8000, **settings))

    def load(self, statements: str) -> None:
        """Execute statements in the database."""
        if self.address:
            with psycopg.connect(self.address, autocommit=True) as target:
                target.execute(statements.encode())
        else:
            with closing(sqlite3.connect(self.file)) as target:
                target.executescript(statements)

    def call(self, call: str) -> Any:
        """Call a function of previous_version.py, such as `add('0.1.0')`, and return its result."""
        return json.loads(self._shell.run(CALL.format(call=call)))

    def end(self) -> None:
        self._shell.end()


def server_of_this_run() -> str:
    """Return the PostgreSQL server that the tests run on; empty for SQLite."""
    address = os.environ.get("DATABASE_URL", "")
    return address if address.startswith("postgresql") else ""
