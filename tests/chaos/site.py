"""Run the site in real processes on one database; start, kill and restart them."""

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.stores import Stores, stores
from tests.chaos.watched_log import WatchedLog
from tests.support.servers.server import Server

#: Short enough for fast experiments, long enough for a busy machine.
SETTINGS = {
    "CLOUDFLARE_ACCOUNT_ID": "0123456789abcdef0123456789abcdef",
    "CLOUDFLARE_API_TOKEN": "chaos",
    "UPSTREAM_FIRST_BYTE_SECONDS": "2",
    "UPSTREAM_IDLE_SECONDS": "1.5",
    "UPSTREAM_CONTENT_SECONDS": "2",
    "MAX_STREAMS_PER_PERSON": "0",  # a few members make all the load
}
#: For experiments in which the upstream is never at fault, however busy the machine is.
PATIENT = {
    "UPSTREAM_FIRST_BYTE_SECONDS": "120",
    "UPSTREAM_IDLE_SECONDS": "120",
    "UPSTREAM_CONTENT_SECONDS": "120",
}
PEOPLE = 40
_SIGN_IN = """
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from chat.accounts.sessions.session_store import SessionStore
from chat.accounts.models import User
pairs = []
for number in range(%d):
    user = User.objects.create_user(f"person{number}@example.org", None)
    pairs.append([])
    for _ in range(2):
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        pairs[-1].append(session.session_key)
print(json.dumps(pairs))
"""


@dataclass(frozen=True, slots=True)
class Resources:
    """What one process holds.

    `spare_files` are counted apart: while one connection of a process has the database locked (the
    writer's always has), SQLite keeps the files of closed ones for the next to open. So there are
    as many as there were requests at one time, and no more.
    """

    file_descriptors: int
    spare_files: int
    threads: int
    resident_kilobytes: int


class Process(Server):
    """A process of the site, with its resources and its log."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self._watched_log = WatchedLog(self.log)

    async def steady_kilobytes(self) -> int:
        """Return the resident memory once it has not grown for three seconds.

        A long answer is stored and indexed after its stream has ended, which takes memory of its
        own, and gives it back.
        """
        now = most = level_seconds = 0
        while level_seconds < 3:
            now = self.resources.resident_kilobytes
            most, level_seconds = max(most, now), level_seconds + 1 if now <= most else 0
            await asyncio.sleep(1)
        return now

    @property
    def resources(self) -> Resources:
        folder = Path(f"/proc/{self.pid}")
        pages = int((folder / "statm").read_text().split()[1])
        files = [_target(each) for each in (folder / "fd").iterdir()]
        spare = sum(file.endswith(".sqlite3") for file in files)
        return Resources(
            len(files) - spare,
            spare,
            len(os.listdir(folder / "task")),
            pages * os.sysconf("SC_PAGE_SIZE") // 1024,
        )

    @property
    def peers(self) -> set[int]:
        """Return the clients' ports of the process's connections (closed ones have no inode)."""
        held = set()
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            local, remote = (int(fields[n].partition(":")[2], 16) for n in (1, 2))
            if local == self.port and remote and fields[9] != "0":
                held.add(remote)
        return held

    def new_worries(self) -> list[str]:
        """Return new lines since the last call that must not be in the log."""
        return self._watched_log.new_worries()


def _target(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except OSError:  # closed since it was listed
        return ""


@dataclass
class Site:
    """`processes` run, `sessions` holds two signed-in sessions of each person."""

    folder: Path
    settings: dict[str, str]
    stores: Stores
    processes: list[Process]
    sessions: list[list[str]] = field(default_factory=list)

    @property
    def first(self) -> Process:
        return self.processes[0]

    @property
    def database(self) -> str:
        return self.stores.database

    def prune_logs(self) -> None:
        """Prune the logs of ended answers with the site's own code."""
        code = "from chat.generations.process import workers; workers.prune(-1)"
        self.first.manage("shell", "--verbosity", "0", "-c", code)

    @contextmanager
    def second_process(self, prefix: tuple[str, ...] = (), **settings: str) -> Iterator[Process]:
        """Run another process on the same database until the end of the block."""
        other = Process(self.folder, **self.settings | settings)
        other.prefix = prefix
        self.processes.append(other)
        other.start()
        try:
            yield other
        finally:
            self.processes.remove(other)
            other.end(signal.SIGKILL if prefix else signal.SIGTERM)  # unshare ignores SIGTERM

    @contextmanager
    def changed(self, **settings: str) -> Iterator[Process]:
        """Restart the first process with other settings until the end of the block."""
        self.first.end()
        self.first.start(**settings)
        try:
            yield self.first
        finally:
            self.first.end()
            self.first.start()


@contextmanager
def site(
    upstream_url: str, stores_kind: str = "sqlite", folder: Path | None = None
) -> Iterator[Site]:
    """Run a migrated site with members and one process until the end of the block."""
    with prepared_site(upstream_url, stores_kind, folder) as made:
        made.first.start()
        yield made


@contextmanager
def prepared_site(
    upstream_url: str, stores_kind: str = "sqlite", folder: Path | None = None
) -> Iterator[Site]:
    """Yield the same with a process that isn't started."""
    with ExitStack() as stack:
        folder = folder or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-chaos-"))
        )
        its = stack.enter_context(stores(stores_kind, folder))
        settings = {"WORKERS_AI_BASE_URL": upstream_url, **SETTINGS, **its.settings}
        made = Site(folder, settings, its, [Process(folder, **settings)])
        (folder / "static").mkdir()
        people = made.first.manage("shell", "--verbosity", "0", "-c", _SIGN_IN % PEOPLE)
        made.sessions = json.loads(people)
        stack.callback(made.first.end)
        yield made
