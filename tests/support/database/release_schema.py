"""`python -m tests.support.database.release_schema 0.1.0` writes the schemas of a release.

They are the databases that its migrations create, SQLite's and PostgreSQL's, as statements in a
fixed order. Run it with the code of the release: docs/releasing.md.
"""

import argparse
import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from tests.support.database.postgres import program, start_postgres
from tests.support.database.release_site import ReleaseSite
from tests.support.database.releases import AFTER_MIGRATIONS, RECORDS, VENDORS, file_of

Statements = dict[str, str]
HEAD = "-- The database of {release}. SnippetText by release_schema.py; don't edit.\n\n"
#: Functions may name tables that are created after them.
HEADS = {"sqlite": "", "postgresql": "SET check_function_bodies = false;\n\n"}
RECORD = "INSERT INTO django_migrations (app, name, applied) VALUES ('{}', '{}', '2000-01-01 00:00:00+00:00');\n"
OF_SQLITE = """
SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL
AND name NOT LIKE 'sqlite_%' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
ORDER BY type <> 'table', type, name
"""
#: How pg_dump begins the statements of each object.
OBJECT = re.compile(r"^--\n-- Name: (.*)\n--\n", re.MULTILINE)
END = "--\n-- PostgreSQL database dump complete"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", help="the version, such as 0.1.0")
    release = parser.parse_args().release
    for vendor in VENDORS:
        file = file_of(release, vendor)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(release, vendor), encoding="utf-8")
        print(file)


def written(release: str, vendor: str) -> str:
    """Return the fixture of this code."""
    with tempfile.TemporaryDirectory(prefix="runnel-release-") as folder:
        site = ReleaseSite(Path(folder), start_postgres() if vendor == "postgresql" else "")
        try:
            migrations = site.call("known_migrations()")
            site.call(f"apply({migrations})")
            migrated = statements(site)
            site.call("migrate()")
            whole = statements(site)
        finally:
            site.end()
    first = "\n".join(sql for name, sql in whole.items() if name in migrated)
    added = "\n".join(sql for name, sql in whole.items() if name not in migrated)
    records = "".join(RECORD.format(*each) for each in migrations)
    head = HEAD.format(release=release) + HEADS[vendor]
    return f"{head}{first}\n{AFTER_MIGRATIONS}\n{added}\n{RECORDS}\n{records}"


def statements(site: ReleaseSite) -> Statements:
    """Return the statements that create each object of a database, by its kind and name."""
    if site.address:
        return _of_postgres(site.address)
    with closing(sqlite3.connect(site.file)) as source:
        return {name: f"{sql};\n" for name, sql in source.execute(OF_SQLITE)}


def _of_postgres(address: str) -> Statements:
    command = [program("pg_dump"), "--schema-only", "--no-owner", "--no-privileges", address]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    _, *parts = OBJECT.split(dump.partition(END)[0])
    # Settings between the objects only affect what a dump of another kind would contain.
    kept = (re.sub(r"^SET .*;\n+", "", sql, flags=re.MULTILINE) for sql in parts[1::2])
    return dict(zip(parts[::2], (f"{sql.strip()}\n" for sql in kept), strict=True))


if __name__ == "__main__":
    main()
