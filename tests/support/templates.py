"""Migrated databases, made once for each state of the code and copied from then on.

Migrating takes a processor several seconds, and each process of tests and each server that a test
starts needs a database. What was made lies in `build/test_databases` and is found by a digest of all
that could make it another one, so it is never out of date.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "test_databases"
#: In a copied cluster, the database that others are copies of.
POSTGRES_TEMPLATE = "runnel_template"


def copy_sqlite(database: Path) -> None:
    """Copy a migrated SQLite database to `database`."""
    with _made("sqlite3", _make_sqlite) as template:
        shutil.copyfile(template, database)


def copy_postgres_cluster(folder: Path) -> None:
    """Copy the files of a PostgreSQL cluster into `folder`; POSTGRES_TEMPLATE in it is migrated."""
    with _made("postgres", _make_postgres_cluster) as template:
        # It runs as somebody else where the tests run as root: owners have to stay.
        subprocess.run(["cp", "-a", f"{template}/.", str(folder)], check=True)


def migrate(data_dir: Path, **settings: str) -> None:
    """Migrate the database of a site that has nothing of the machine's own settings."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ
    }
    env = kept | {"DATA_DIR": str(data_dir), "INITIAL_LIMITS": "none"} | settings
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


@contextmanager
def _made(kind: str, make: Callable[[Path], None]) -> Iterator[Path]:
    """Yield where the template is, which nobody removes meanwhile; make it if there is none."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    template = FOLDER / f"{_digest()}.{kind}"
    with (FOLDER / f"{kind}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.exists():
            for old in FOLDER.glob(f"*.{kind}"):
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            unfinished = FOLDER / f"unfinished-{kind}"
            shutil.rmtree(unfinished, ignore_errors=True)
            make(unfinished)
            unfinished.rename(template)
        yield template


def _make_sqlite(template: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="runnel-template-") as folder:
        migrate(Path(folder))
        shutil.copyfile(Path(folder) / "runnel.sqlite3", template)


def _make_postgres_cluster(template: Path) -> None:
    from tests.support.postgres import server_in

    with tempfile.TemporaryDirectory(prefix="runnel-template-") as folder:
        cluster = Path(folder) / "cluster"
        cluster.mkdir()
        with server_in(cluster) as server:
            server.psql(f"CREATE DATABASE {POSTGRES_TEMPLATE};")
            migrate(Path(folder), DATABASE_URL=server.get_uri(POSTGRES_TEMPLATE))
        subprocess.run(["cp", "-a", str(cluster), str(template)], check=True)


@cache
def _digest() -> str:
    """Return a name for the state of all code and of what it is installed with."""
    found = hashlib.sha256()
    tops = [ROOT / "chat", ROOT / "project"]
    code = [path for kind in ("*.py", "*.sql") for top in tops for path in top.rglob(kind)]
    for path in [*sorted(code), ROOT / "requirements.lock", Path(__file__)]:
        found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]
