"""Stops and disconnects at random moments leave the process as it was: tasks, threads, files, rows,
connections to the database. (tests/chaos does the same to a real server, which shows no tasks.)
"""

import asyncio
import json
import os
import random
import threading
import time
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient

from chat.database import threads
from chat.database.request_threads import MAX_THREADS, RequestThread, request_threads
from chat.generations.models import Generation
from chat.generations.send import start
from project.asgi import application
from tests.support.upstream.raw_upstream import EVENT_STREAM, chunk
from tests.support.upstream.upstream_override import site_with

#: More at once by one person are refused.
AT_ONCE = start.MAX_STORED_SENDS
REST_SECONDS = 10.0
Held = dict[str, int]
#: Patience for a hundred concurrent sends on a busy machine; the duration does not matter.
PATIENCE = {f"UPSTREAM_{name}_SECONDS": 30 for name in ("FIRST_BYTE", "IDLE", "CONTENT")}


async def drip(request: bytes, writer: asyncio.StreamWriter) -> None:
    """Send twenty tokens slowly."""
    writer.write(EVENT_STREAM)
    for _ in range(20):
        writer.write(chunk(b'data: {"response":"word "}\n\n'))
        await writer.drain()
        await asyncio.sleep(0.001)
    writer.write(chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")


class Visit:
    """One send over ASGI, whose client may disconnect at any time."""

    def __init__(self, client: AsyncClient) -> None:
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        self.status, self.body = 0, b""
        self.headers: dict[str, str] = {}
        self._cookies = f"{cookies}; csrftoken={'c' * 32}"
        self._gone = asyncio.Event()

    def hang_up(self) -> None:
        self._gone.set()

    async def post(self, path: str, body: bytes = b"") -> "Visit":
        headers = {
            "host": "testserver",
            "cookie": self._cookies,
            "x-csrftoken": "c" * 32,
            "content-type": "application/json",
            "content-length": str(len(body)),
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
        }
        arriving = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if arriving:
                return arriving.pop()
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(event: Any) -> None:
            if event["type"] == "http.response.start":
                self.status = event["status"]
                self.headers = {k.decode().lower(): v.decode() for k, v in event["headers"]}
            self.body += event.get("body", b"")

        await application(scope, receive, send)
        return self


async def disturb(client: AsyncClient, chance: random.Random) -> None:
    """Send a message, then disconnect, stop it, or neither."""
    deed, after_seconds = chance.choice(("leave", "stop", "stay")), chance.uniform(0, 0.05)
    visit = Visit(client)
    sending = asyncio.create_task(visit.post("/chat/messages", a_send()))
    if deed != "stay":
        await asyncio.sleep(after_seconds)
    if deed == "leave":
        visit.hang_up()
    if deed == "stop" and (generation := visit.headers.get("x-generation-id")):
        await Visit(client).post(f"/generations/{generation}/cancellation")
    await sending
    visit.hang_up()


def a_send() -> bytes:
    return json.dumps({"key": uuid.uuid4().hex, "text": "Why do rivers bend?"}).encode()


async def held() -> Held:
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "files": sum(not is_spare(number) for number in os.listdir("/proc/self/fd")),
        "running rows": await Generation.objects.filter(state="running").acount(),
        "connections": await sync_to_async(database_connections)(),
    }


def is_spare(descriptor: str) -> bool:
    """Return whether the file is SQLite's, which it may keep open for later connections."""
    try:
        return "sqlite" in os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:  # closed since it was listed
        return True


def database_connections() -> int:
    """Return the number of PostgreSQL's connections; 0 for SQLite."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        (count,) = cursor.fetchone()
    return int(count)


@pytest.mark.long
@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.timeout(900)
async def test_stops_and_disconnects_leave_nothing_behind(
    count: int, alice_client: AsyncClient
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    async with site_with(drip, **PATIENCE, MAX_STREAMS_PER_PERSON=0) as raw:
        await warm_up(alice_client, chance)
        before = await at_rest({}, raw)
        places = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with places:
                await disturb(alice_client, chance)

        await asyncio.gather(*(one() for _ in range(count)))
        after = await at_rest(before, raw)

        async def stay() -> Visit:
            async with places:
                return await Visit(alice_client).post("/chat/messages", a_send())

        visits = await asyncio.gather(*(stay() for _ in range(100)))
    print(f"before {before}, after {after}")
    assert {name: n for name, n in after.items() if n > before[name]} == {}
    assert [visit.body.count(b"[DONE]") for visit in visits] == [1] * 100


async def warm_up(client: AsyncClient, chance: random.Random) -> None:
    """Fill every pool, because its threads and connections last as long as the process."""

    def look() -> None:
        Generation.objects.exists()
        time.sleep(0.1)  # so that the next job needs the next thread

    await asyncio.gather(*(threads.readers.run(look) for _ in range(2)))
    await asyncio.gather(*(asyncio.to_thread(time.sleep, 0.1) for _ in range(40)))
    borrowers = [RequestThread(request_threads) for _ in range(MAX_THREADS)]
    await asyncio.gather(*(asyncio.wrap_future(each.submit(look)) for each in borrowers))
    for borrower in borrowers:
        borrower.shutdown()
    await asyncio.gather(*(disturb(client, chance) for _ in range(3 * AT_ONCE)))
    await held()  # looking takes a thread and a connection too


async def at_rest(before: Held, raw: Any) -> Held:
    """Return what is held after all answers have ended; wait a while until it equals `before`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + REST_SECONDS
    while True:
        await asyncio.sleep(0.2)
        now = await held()
        # Kept-alive connections to the upstream: both ends are in this process.
        now["files"] -= 2 * raw.open
        now["tasks"] -= raw.open
        calm = not now["running rows"] and all(now[name] <= n for name, n in before.items())
        if calm or loop.time() > deadline:
            return now
