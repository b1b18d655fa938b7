"""A SQLite database that can't be read is replaced by a backup, if asked for."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chat.backup import sqlite_copy
from tests.support.servers.server import ROOT

OPEN = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA journal_mode = WAL")
database.execute("SELECT * FROM django_migrations").fetchone()
print("open", flush=True)
sys.stdin.read()
"""


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "DATA_DIR": str(data)}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a backup of an empty site."""
    folder = tmp_path_factory.mktemp("made")
    assert run(folder / "data", "migrate", "--verbosity", "0").returncode == 0
    assert run(folder / "data", "backup", str(folder / "backup")).returncode == 0
    return folder


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    """Return the database of another site with this backup."""
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "runnel.sqlite3"
    path.write_bytes((made / "data" / "runnel.sqlite3").read_bytes())
    return path


def damage(database: Path, at: int = 0) -> bytes:
    """Overwrite a part of the file; return what it has then."""
    with database.open("r+b") as file:
        file.seek(at)
        file.write(b"\x55" * 1_000_000)
    return database.read_bytes()


@contextmanager
def opened(database: Path) -> Iterator[None]:
    """Let another process have the database open."""
    command = [sys.executable, "-c", OPEN, str(database)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield
        process.kill()


@pytest.mark.parametrize("at", [0, 4096])
def test_it_is_kept_and_replaced(made: Path, database: Path, at: int) -> None:
    damaged = damage(database, at)
    done = run(database.parent, "restore", str(made / "backup"), "--replace")
    assert (done.returncode, done.stderr) == (0, "")
    assert sqlite_copy.examine(database).migrations
    (aside,) = database.parent.glob("replaced-*")
    assert f"What was there before is in {aside}" in done.stdout
    assert (aside / database.name).read_bytes() == damaged


def test_it_is_not_replaced_unasked(made: Path, database: Path) -> None:
    damaged = damage(database)
    done = run(database.parent, "restore", str(made / "backup"))
    assert done.returncode == 1
    assert "file is not a database. To replace it, add --replace. Nothing" in done.stderr
    assert database.read_bytes() == damaged


def test_it_is_not_replaced_while_a_process_has_it_open(made: Path, database: Path) -> None:
    with opened(database):
        damaged = damage(database)
        done = run(database.parent, "restore", str(made / "backup"), "--replace")
        assert done.returncode == 1
        assert "A process uses the database. Stop the site." in done.stderr
        assert database.read_bytes() == damaged


def test_a_locked_database_is_not_taken_for_a_damaged_one(made: Path, database: Path) -> None:
    with sqlite3.connect(database) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        done = run(database.parent, "restore", str(made / "backup"), "--replace")
    other.close()
    assert done.returncode == 1
    assert "The database can't be used: database is locked" in done.stderr
