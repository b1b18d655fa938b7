"""`serve` and other commands say in one line why the database can't be used."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.database import postgres
from tests.support.servers.server import ROOT, START_SECONDS, environment, free_port

pytestmark = [
    pytest.mark.xdist_group("serving"),
    pytest.mark.long,
    pytest.mark.timeout(600),  # servers start slowly on a busy machine
]


@pytest.fixture(scope="module")
def address() -> str:
    return postgres.start_postgres()


@pytest.fixture
def admin(address: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


def told(folder: Path, *command: str, **settings: str) -> str:
    """Run a command that must fail; return what it says, which must be one line."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(folder, free_port(), **settings),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
    )
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("command", ["serve", "prepare", "migrate"])
def test_a_server_that_refuses_connections_is_named(tmp_path: Path, command: str) -> None:
    said = told(tmp_path, command, DATABASE_URL="postgresql://runnel:right@127.0.0.1:1/runnel")
    assert "Connection refused" in said
    assert "Start the database server" in said
    assert "right" not in said


def test_a_missing_database_and_a_missing_role_are_named(tmp_path: Path, address: str) -> None:
    missing = told(tmp_path, "serve", DATABASE_URL=postgres.address_of(address, "nowhere"))
    assert 'database "nowhere" does not exist. Create it' in missing
    nobody = address.replace("postgres:@", "nobody:@").replace("postgres@", "nobody@")
    assert "nobody" in told(tmp_path, "serve", DATABASE_URL=nobody)


def test_a_role_that_may_not_create_tables_is_told_to(
    tmp_path: Path, address: str, admin: psycopg.Connection
) -> None:
    admin.execute("CREATE ROLE reader LOGIN")
    admin.execute("CREATE DATABASE foreign_one")
    url = postgres.address_of(address, "foreign_one").replace("postgres:@", "reader:@")
    said = told(tmp_path, "serve", DATABASE_URL=url.replace("//postgres@", "//reader@"))
    assert "permission denied for schema public" in said
    assert "OWNER TO" in said


def test_a_database_that_is_read_only_is_named(
    tmp_path: Path, address: str, admin: psycopg.Connection
) -> None:
    name = postgres.migrated_database(address)
    admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    said = told(tmp_path, "serve", DATABASE_URL=postgres.address_of(address, name))
    assert "takes no writes" in said


def test_an_encoding_that_loses_texts_is_refused(
    tmp_path: Path, address: str, admin: psycopg.Connection
) -> None:
    admin.execute(
        "CREATE DATABASE old_one TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
    )
    said = told(tmp_path, "serve", DATABASE_URL=postgres.address_of(address, "old_one"))
    assert "SQL_ASCII" in said
    assert "--encoding=UTF8" in said


def test_any_format_of_dates_works(tmp_path: Path, address: str, admin: psycopg.Connection) -> None:
    name = postgres.migrated_database(address)
    admin.execute(f"ALTER DATABASE {name} SET datestyle = 'SQL, DMY'")
    admin.execute(f"ALTER DATABASE {name} SET intervalstyle = 'sql_standard'")
    code = (
        "from django.db import connection as c\n"
        "q = c.cursor().execute('SELECT now(), interval \\'1 hour\\'')\n"
        "print(*map(type, q.fetchone()))"
    )
    url = postgres.address_of(address, name)
    said = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "--command", code],
        cwd=ROOT,
        env=environment(tmp_path, free_port(), DATABASE_URL=url),
        check=True,
        capture_output=True,
        text=True,
    )
    assert "datetime.datetime" in said.stdout
    assert "datetime.timedelta" in said.stdout


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "runnel.sqlite3").write_bytes(os.urandom(20_000))
    (tmp_path / "runnel.sqlite3").chmod(0o600)
    said = told(tmp_path, "migrate")
    assert "file is not a database" in said
    assert "restore a backup" in said
