"""Settings of the test suite: the site's, with a database and a folder of their own.

DATABASE_URL=postgres starts a PostgreSQL of our own; everything else is SQLite in a file, because
threads and processes have to share it.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

# Compile each module once, not in every worker and server, even if the machine's Python is set to.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _use_memory() -> None:
    """Keep test files in memory if the machine has enough."""
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 * 1024**3:
        tempfile.tempdir = os.environ["TMPDIR"] = str(memory)


_use_memory()
_folder = Path(tempfile.mkdtemp(prefix="runnel-test-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["DATA_DIR"] = str(_folder)
os.environ.setdefault("EMULATOR_TOKENS_PER_SECOND", "0")
os.environ.setdefault("LOG_LEVEL", "info")  # a failed test shows what it had requested
os.environ.setdefault("INITIAL_LIMITS", "none")
os.environ.setdefault("TITLE_MODEL", "none")
os.environ.setdefault("COMPACTION_MODEL", "none")
os.environ.setdefault("MAX_MEMBER_REQUESTS_PER_SECOND", "0")
os.environ.setdefault("MAX_ADDRESS_REQUESTS_PER_SECOND", "0")
os.environ.setdefault("MAX_LAG_SECONDS", "0")  # the machine of the tests may be slow

if os.environ.get("DATABASE_URL") == "postgres":
    from tests.support.database.postgres import start_postgres

    os.environ["DATABASE_URL"] = start_postgres()

from chat.lib import new_files  # noqa: E402
from project.settings import *  # noqa: E402, F403
from project.settings import DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["TEST"] = {}
    # Open all connections at the start, because a test counts them.
    _pool = DATABASES["default"]["OPTIONS"]["pool"]
    _pool["min_size"] = _pool["max_size"]

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
(_folder / "static").mkdir()
new_files.forget()  # tests go on to use them
ACCOUNT_RATE_LIMITS = False
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
