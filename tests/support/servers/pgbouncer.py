"""Run a real PgBouncer in front of a PostgreSQL of the tests."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from tests.support.servers.server import free_port

BINARY = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin")
START_SECONDS = 60
#: What docs/serve.md says to set for all modes and versions.
SUITABLE = {"DATABASE_STATEMENT_SECONDS": "0", "DATABASE_PREPARED_STATEMENTS": "no"}
CONFIG = """
[databases]
* = host={host} port={server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = {mode}
default_pool_size = {pool_size}
max_client_conn = 200
server_login_retry = 1
"""


class PgBouncer:
    """`address` is a PostgreSQL of `start_postgres`, whose folder has its socket.

    `mode` says when a connection to it is given to another client, `pool_size` how many there are.
    """

    def __init__(
        self,
        address: str,
        mode: Literal["session", "transaction"] = "transaction",
        pool_size: int = 8,
    ) -> None:
        folder = Path(tempfile.mkdtemp(prefix="runnel-bouncer-"))
        parts = urlsplit(address)
        host = parse_qs(parts.query)["host"][0]
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}{parts.path}"
        self.log = folder / "pgbouncer.log"
        self._user = os.stat(host).st_uid  # it refuses to run as root
        self._config = folder / "pgbouncer.ini"
        (folder / "users.txt").write_text('"postgres" ""\n')
        text = CONFIG.format(
            host=host,
            server_port=parts.port or 5432,
            port=self.port,
            folder=folder,
            mode=mode,
            pool_size=pool_size,
        )
        self._config.write_text(text)
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, self._user)
        self.process: subprocess.Popen[bytes] | None = None
        self._folder = folder

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start, and return once it listens."""
        assert BINARY
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [BINARY, str(self._config)], stdout=output, stderr=output, user=self._user
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(START_SECONDS)
            self.process = None
