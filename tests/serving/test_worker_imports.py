"""A server process loads only what its configuration uses: the rest costs start time and memory."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.servers.server import ROOT

IMPORT = """
import sys
import uvicorn.server
import project.asgi.entry_point
from project.preload import preload
preload()
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_a_process_on_sqlite_loads_no_other_server_or_database(tmp_path: Path) -> None:
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    loaded = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORT],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {"django", "uvicorn"} < set(loaded)
    assert not {"daphne", "twisted", "psycopg", "redis"} & set(loaded)
