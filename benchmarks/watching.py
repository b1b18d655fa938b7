"""Measure what watching staff cost the servers that write answers: `make bench-watching`.

Two processes write STREAMS=200 answers each, each read by its owner. Staff watch those of one
process, at the same process and then at a third; then those of the other. The result is the watched
process's CPU time per token, relative to the other's in the same seconds, since a busy machine
affects both. The model provider and the readers are processes of their own. Fails above 1.1.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from benchmarks.page.limits import Limits
from tests.chaos.directive import Directive
from tests.chaos.site import SETTINGS
from tests.chaos.upstream_process import upstream
from tests.support.servers.server import Server

STREAMS = int(os.environ.get("STREAMS", "200"))
TOKENS_PER_SECOND = float(os.environ.get("TOKENS_PER_SECOND", "20"))
ROUNDS = int(os.environ.get("ROUNDS", "2"))
SECONDS = float(os.environ.get("SECONDS", "10"))
SETTLED_SECONDS = 2.0
MAX_RATIO = 1.1
AT_ONCE = 8  # a person may have as many sends waiting
TICKS = os.sysconf("SC_CLK_TCK")
CSRF = "a" * 32
PEOPLE = """
from django.contrib.auth.models import Permission
from django.test import Client
from chat.accounts.models import User
for name, right in (("alice", ""), ("adam", "administer_review")):
    user = User.objects.create_user(f"{name}@example.org", None)
    if right:
        user.user_permissions.add(Permission.objects.get(codename=right))
    client = Client()
    client.force_login(user)
    print(client.cookies["sessionid"].value)
"""


class Stream:
    """An answer over HTTP, as bytes: parsing would disturb the measurement."""

    def __init__(self, port: int, session: str) -> None:
        self._port, self._session = port, session
        self.headers: dict[str, str] = {}
        self.frames = 0
        self._task: asyncio.Task[None] | None = None

    async def open(self, method: str, path: str, body: str = "") -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            f"Cookie: sessionid={self._session}; csrftoken={CSRF}",
            f"X-CSRFToken: {CSRF}",
            f"Content-Length: {len(body)}",
            "Content-Type: application/json",
        ]
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert " 200 " in head.splitlines()[0], head
        pairs = (line.partition(": ") for line in head.splitlines()[1:] if line)
        self.headers = {name.lower(): value for name, _, value in pairs}
        self._task = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while chunk := await reader.read(65536):
            self.frames += chunk.count(b"id: ")

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
        self._writer.close()


async def ask(server: Server, session: str, number: int) -> Stream:
    mark = f"w{server.port}-{number}"  # unique, because a repeated text gets a short answer
    directive = Directive(mark, -1, TOKENS_PER_SECOND, witness=False)
    stream = Stream(server.port, session)
    body = json.dumps({"key": uuid4().hex, "text": directive.as_text()})
    await stream.open("POST", "/chat/messages", body)
    return stream


async def watch(server: Server, session: str, asked: Stream) -> Stream:
    stream = Stream(server.port, session)
    place = f"{asked.headers['x-conversation-id']}/live/{asked.headers['x-generation-id']}"
    await stream.open("GET", f"/review/{place}/?after=0")
    return stream


@asynccontextmanager
async def watched(server: Server, session: str, asked: list[Stream]) -> AsyncIterator[list[Stream]]:
    open_streams: list[Stream] = []
    for start in range(0, len(asked), AT_ONCE):
        some = (watch(server, session, each) for each in asked[start : start + AT_ONCE])
        open_streams += await asyncio.gather(*some)
    await asyncio.sleep(SETTLED_SECONDS)
    yield open_streams
    await asyncio.gather(*(each.close() for each in open_streams))
    await asyncio.sleep(SETTLED_SECONDS)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@dataclass(slots=True)
class Writer:
    """A process with its streams, and its CPU time and tokens so far."""

    server: Server
    asked: list[Stream]
    cpu_seconds: float = 0.0
    tokens: int = 0

    def begin(self) -> None:
        self.cpu_seconds, self.tokens = cpu_seconds(self.server.pid), self._written

    def microseconds_a_token(self) -> float:
        tokens = self._written - self.tokens
        assert tokens, "nothing was written: the machine is too busy to measure"
        return (cpu_seconds(self.server.pid) - self.cpu_seconds) / tokens * 1_000_000

    @property
    def _written(self) -> int:
        return sum(each.frames for each in self.asked)


async def begun(server: Server, session: str) -> Writer:
    asked: list[Stream] = []
    for start in range(0, STREAMS, AT_ONCE):
        some = range(start, min(start + AT_ONCE, STREAMS))
        asked += await asyncio.gather(*(ask(server, session, number) for number in some))
    return Writer(server, asked)


async def ratio(seen: Writer, other: Writer, at: Server, session: str, what: str) -> float:
    """Return the cost of a token of `seen`, watched at `at`, relative to `other`."""
    async with watched(at, session, seen.asked) as watching:
        before = sum(each.frames for each in watching)
        for each in (seen, other):
            each.begin()
        await asyncio.sleep(SECONDS)
        costs = [each.microseconds_a_token() for each in (seen, other)]
        frames = sum(each.frames for each in watching) - before
    speed = frames / SECONDS / len(watching)
    print(
        f"  watched {what}: {costs[0]:.0f} us a token, beside it {costs[1]:.0f};"
        f" a watcher saw {speed:.1f} tokens/s",
        flush=True,
    )
    return costs[0] / costs[1]


async def measure(servers: list[Server], sessions: list[str]) -> int:
    *writing, there = servers
    alice, adam = sessions
    print(f"2 x {STREAMS} streams x {TOKENS_PER_SECOND:g} tokens/s", flush=True)
    one, two = [await begun(each, alice) for each in writing]
    found: dict[str, list[float]] = {"here": [], "elsewhere": []}
    for _ in range(ROUNDS):
        for seen, other in ((one, two), (two, one)):
            for kind, at in (("here", seen.server), ("elsewhere", there)):
                found[kind].append(await ratio(seen, other, at, adam, kind))
    limits = Limits()
    for kind, ratios in found.items():
        limits.check(f"watched {kind}, times", statistics.geometric_mean(ratios), MAX_RATIO)
    await asyncio.gather(*(each.close() for each in (*one.asked, *two.asked)))
    return 1 if limits.passed else 0


def main() -> int:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-bench-")))
        model = stack.enter_context(upstream())
        settings = SETTINGS | {
            "WORKERS_AI_BASE_URL": model.url,
            "REVIEW_REASON_MINUTES": "0",
            "MAX_LAG_SECONDS": "0",
            **{f"UPSTREAM_{name}_SECONDS": "60" for name in ("FIRST_BYTE", "IDLE", "CONTENT")},
            "LOG_LEVEL": "error",
        }
        servers = [Server(folder, **settings) for _ in range(3)]
        servers[0].prepare()
        for server in servers:
            stack.callback(server.end)
            server.start()
        sessions = servers[0].manage("shell", "--verbosity=0", "--command", PEOPLE).split()
        return asyncio.run(measure(servers, sessions))


if __name__ == "__main__":
    sys.exit(main())
