"""Create migrated databases and the static files once for each state of the code, and copy them.

Both take several seconds of CPU time, and each test process and each server in a test needs them.
Templates are in `var/test_templates`, named by a digest of everything that affects them, so they
are never out of date. Not in `build`: collectstatic takes all of it.
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
from urllib.parse import urlsplit

from tests.support.fair_timeout import uncounted

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "var" / "test_templates"
#: The migrated database in a copied cluster, from which others are created, and the role that has
#: migrated it. Like a site's, it may do nothing elsewhere.
POSTGRES_TEMPLATE, POSTGRES_ROLE = "runnel_template", "ordinary"
#: Says which templates to use, for code that differs from theirs, but not in the schema.
DIGEST_VARIABLE = "TEST_TEMPLATES_DIGEST"


def copy_sqlite(database: Path) -> None:
    """Copy a migrated SQLite database to `database`."""
    with _made("sqlite3", _make_sqlite) as template:
        shutil.copyfile(template, database)


def copy_postgres_cluster(folder: Path) -> None:
    """Copy a PostgreSQL cluster into `folder`; its POSTGRES_TEMPLATE is migrated."""
    with _made("postgres", _make_postgres_cluster) as template:
        # PostgreSQL runs as another user if the tests run as root: preserve owners.
        subprocess.run(["cp", "-a", f"{template}/.", str(folder)], check=True)


def copy_static(folder: Path) -> None:
    """Copy the static files, as `collectstatic` makes them, to the new folder `folder`."""
    with _made("static", _make_static) as template:
        shutil.copytree(template, folder)


def migrate(data_dir: Path, **settings: str) -> None:
    """Migrate a site's database."""
    _manage(data_dir, "migrate", **settings)


def _manage(data_dir: Path, *arguments: str, **settings: str) -> None:
    """Run a management command, without the machine's own settings."""
    kept = {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ
    }
    plain = {"DATA_DIR": str(data_dir), "INITIAL_LIMITS": "none", "TITLE_MODEL": "none"}
    env = kept | plain | settings
    command = [sys.executable, "manage.py", *arguments, "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)


@contextmanager
def _made(kind: str, make: Callable[[Path], None]) -> Iterator[Path]:
    """Yield the path of the template, locked against removal; create it if needed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    given = "" if kind == "static" else os.environ.get(DIGEST_VARIABLE)
    template = FOLDER / f"{given or _digest(kind == 'static')}.{kind}"
    with (FOLDER / f"{kind}.lock").open("w") as lock:
        with uncounted():  # all tests need it, whichever comes first
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not template.exists():
                _replace_template(template, kind, make)
        yield template


def _replace_template(template: Path, kind: str, make: Callable[[Path], None]) -> None:
    for old in FOLDER.glob(f"*.{kind}"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    unfinished = FOLDER / f"unfinished-{kind}"
    shutil.rmtree(unfinished, ignore_errors=True)
    make(unfinished)
    unfinished.rename(template)


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
            server.psql(f"CREATE ROLE {POSTGRES_ROLE} LOGIN NOSUPERUSER;")
            server.psql(f"CREATE DATABASE {POSTGRES_TEMPLATE} OWNER {POSTGRES_ROLE};")
            migrate(Path(folder), DATABASE_URL=as_role(server.get_uri(POSTGRES_TEMPLATE)))
        subprocess.run(["cp", "-a", str(cluster), str(template)], check=True)


def as_role(address: str) -> str:
    """Return the URL for POSTGRES_ROLE instead of the superuser."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.replace("postgres:", f"{POSTGRES_ROLE}:")).geturl()


def _make_static(template: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="runnel-template-") as folder:
        _manage(Path(folder), "collectstatic", "--noinput")
        shutil.copytree(Path(folder) / "static", template)


def digest_of_code() -> str:
    """Return what names the templates of databases."""
    return _digest(is_of_static_files=False)


@cache
def _digest(is_of_static_files: bool) -> str:
    """Return a digest of all code, or of all static files, and of the installed packages."""
    found = hashlib.sha256()
    tops = ("build", "static", "project") if is_of_static_files else ("chat", "project")
    kinds = ("*",) if is_of_static_files else ("*.py", "*.sql")
    files = {path for kind in kinds for top in tops for path in (ROOT / top).rglob(kind)}
    code = [path for path in files if path.is_file() and path.suffix != ".pyc"]
    locks = [ROOT / "requirements.lock", ROOT / "package-lock.json"]
    for path in [*sorted(code), *locks, Path(__file__)]:
        found.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]
