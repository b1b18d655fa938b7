"""A site's SQLite file, and a PostgreSQL database that it is copied to, each with a process."""

from pathlib import Path

import psycopg

from tests.support.database import database_templates
from tests.support.database.postgres import address_of, migrated_database
from tests.support.servers.server import environment
from tests.support.servers.shell import Shell

COPY = """
from django.core.management import CommandError, call_command
try:
    call_command("copy_database", source={url!r}, repair={repair}, verbosity=0)
except CommandError as error:
    print(error)
"""


def address_with_ordinary_owner(server: str) -> str:
    """Return the URL of a migrated database of a role with no rights elsewhere, as sites have."""
    name = migrated_database(server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} OWNER TO {database_templates.POSTGRES_ROLE}")
    return database_templates.as_role(address_of(server, name))


def migrated_address(server: str) -> str:
    """Return the URL of a new, migrated database."""
    return address_of(server, migrated_database(server))


class CopiedSite:
    """Run code with the old database (`old`) or the new one (`new`)."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.file = folder / "runnel.sqlite3"
        if not self.file.exists():
            database_templates.copy_sqlite(self.file)
        self.old = Shell(environment(folder, 8000))
        self.new = Shell(environment(folder, 8000, DATABASE_URL=self.address))

    def copy(self, url: str = "", repair: bool = False) -> str:
        """Run the command; return its output, or the reason for its refusal."""
        url = url or f"sqlite:///{self.file}"
        return self.new.run(COPY.format(url=url, repair=repair)).strip()

    def end(self) -> None:
        self.old.end()
        self.new.end()
