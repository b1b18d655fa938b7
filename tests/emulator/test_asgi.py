"""The ASGI application of the emulator."""

import asyncio
import json
from typing import Any

import pytest

from chat.emulator import Emulator, application
from chat.emulator.common.faults import StreamReset
from tests.emulator.exchange import question, run_path


class Connection:
    """The server's side of one request."""

    def __init__(self, document: Any, path: str = run_path(), **scope: Any) -> None:
        body = json.dumps(document).encode()
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            **scope,
        }
        self.received: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self._coming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        half = len(body) // 2
        self._coming.put_nowait({"type": "http.request", "body": body[:half], "more_body": True})
        self._coming.put_nowait({"type": "http.request", "body": body[half:]})

    async def receive(self) -> dict[str, Any]:
        return await self._coming.get()

    async def send(self, message: Any) -> None:
        self.received.append(dict(message))
        self._news.set()

    def leave(self) -> None:
        self._coming.put_nowait({"type": "http.disconnect"})

    async def has_received(self, count: int) -> None:
        while len(self.received) < count:
            self._news.clear()
            await self._news.wait()

    async def run(self, emulator: Emulator) -> None:
        await application(emulator)(self.scope, self.receive, self.send)


async def test_headers_are_sent_before_the_first_token(emulator: Emulator) -> None:
    connection = Connection(question("/stall 0"))
    serving = asyncio.ensure_future(connection.run(emulator))
    await connection.has_received(2)
    start, empty = connection.received
    assert start["status"] == 200
    assert (b"content-type", b"text/event-stream") in start["headers"]
    assert empty == {"type": "http.response.body", "body": b"", "more_body": True}
    connection.leave()
    await serving


async def test_each_event_is_sent_separately(emulator: Emulator) -> None:
    connection = Connection(question("Hello"))
    await connection.run(emulator)
    *events, last = [message["body"] for message in connection.received[2:]]
    assert all(event.startswith(b"data: ") and event.endswith(b"\n\n") for event in events)
    assert last == b""
    assert not connection.received[-1]["more_body"]


@pytest.mark.parametrize("text", ["/stall 2", "/slow", "/comments 2"])
async def test_a_disconnect_ends_the_generation(emulator: Emulator, text: str) -> None:
    connection = Connection(question(text))
    serving = asyncio.ensure_future(connection.run(emulator))
    await connection.has_received(3)
    assert emulator.open_bodies == 1
    connection.leave()
    await serving
    assert emulator.open_bodies == 0
    assert connection.received[-1]["more_body"]


async def test_a_cancelled_application_ends_the_generation(emulator: Emulator) -> None:
    connection = Connection(question("/stall 2"))
    serving = asyncio.ensure_future(connection.run(emulator))
    await connection.has_received(3)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert emulator.open_bodies == 0


async def test_a_reset_reaches_the_server_as_an_exception(emulator: Emulator) -> None:
    connection = Connection(question("/reset 2"))
    with pytest.raises(StreamReset):
        await connection.run(emulator)
    assert connection.received[-1]["more_body"]


async def test_a_client_that_disconnects_during_its_request_gets_nothing(
    emulator: Emulator,
) -> None:
    connection = Connection(question("Hello"))
    await connection.receive()
    await connection.receive()
    connection.leave()
    await connection.run(emulator)
    assert connection.received == []


async def test_a_server_without_raw_path_is_supported(emulator: Emulator) -> None:
    connection = Connection(question("Hello"), raw_path=None, query_string=b"a=b")
    await connection.run(emulator)
    assert connection.received[0]["status"] == 200


async def test_lifespan_is_supported(emulator: Emulator) -> None:
    connection = Connection({}, type="lifespan")
    await connection.receive()
    await connection.receive()
    for phase in ("startup", "shutdown"):
        connection._coming.put_nowait({"type": f"lifespan.{phase}"})
    await connection.run(emulator)
    assert [message["type"] for message in connection.received] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]


async def test_a_websocket_is_closed(emulator: Emulator) -> None:
    connection = Connection({}, type="websocket")
    await connection.run(emulator)
    assert connection.received == [{"type": "websocket.close"}]
