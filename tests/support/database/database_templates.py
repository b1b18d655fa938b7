"""Create migrated databases once for each state of the code, and copy them from then on.

Migrating takes several seconds of CPU time, and each test process and each server in a test needs a
database. Templates are in `build/test_databases`, named by a digest of everything that affects
them, so they are never out of date.
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

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build" / "test_databases"
#: The migrated database in a copied cluster, from which others are created.
POSTGRES_TEMPLATE = "runnel_template"


def copy_sqlite(database: Path) -> None:
    """Copy a migrated SQLite database to `database`."""
    with _made("sqlite3", _make_sqlite) as template:
        shutil.copyfile(template, database)


def copy_postgres_cluster(folder: Path) -> None:
    """Copy a PostgreSQL cluster into `folder`; its POSTGRES_TEMPLATE is migrated."""
    with _made("postgres", _make_postgres_cluster) as template:
        # PostgreSQL runs as another user if the tests run as root: preserve owners.
        subprocess.run(["cp", "-a", f"{template}/.", str(folder)], check=True)


def migrate(data_dir: Path, **settings: str) -> None:
    """Migrate a site's database, without the machine's own settings."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ
    }
    env = kept | {"DATA_DIR": str(data_dir), "INITIAL_LIMITS": "none"} | settings
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


@contextmanager
def _made(kind: str, make: Callable[[Path], None]) -> Iterator[Path]:
    """Yield the path of the template, locked against removal; create it if needed."""
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
    from tests.support.database.postgres import server_in

    with tempfile.TemporaryDirectory(prefix="runnel-template-") as folder:
        cluster = Path(folder) / "cluster"
        cluster.mkdir()
        with server_in(cluster) as server:
            server.psql(f"CREATE DATABASE {POSTGRES_TEMPLATE};")
            migrate(Path(folder), DATABASE_URL=server.get_uri(POSTGRES_TEMPLATE))
        subprocess.run(["cp", "-a", str(cluster), str(template)], check=True)


@cache
def _digest() -> str:
    """Return a digest of all code and of the installed packages."""
    found = hashlib.sha256()
    tops = [ROOT / "chat", ROOT / "project"]
    code = [path for kind in ("*.py", "*.sql") for top in tops for path in top.rglob(kind)]
    for path in [*sorted(code), ROOT / "requirements.lock", Path(__file__)]:
        found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]
