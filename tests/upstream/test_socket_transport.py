"""HTTP/1.1 on our own sockets: when connections are reused or closed, and nothing is sent twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import httpx
import pytest

from chat.upstream.sockets import http_connection
from chat.upstream.sockets.transport import SocketTransport
from tests.support.upstream.raw_upstream import (
    EVENT_STREAM,
    Handler,
    RawUpstream,
    always,
    chunk,
    in_turn,
    plain,
    raw_upstream,
    stream_of,
)

OK = plain(200, b"{}")


@asynccontextmanager
async def client_of(
    handler: Handler, connections: int = 0
) -> AsyncIterator[tuple[RawUpstream, httpx.AsyncClient]]:
    transport = SocketTransport(connections)
    async with raw_upstream(handler) as raw:
        async with httpx.AsyncClient(transport=transport, base_url=raw.url) as client:
            yield raw, client


def counting(raw_answer: bytes, seen: set[asyncio.StreamWriter]) -> Handler:
    """Give every request the same response; `seen` collects the connections."""

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        seen.add(writer)
        writer.write(raw_answer)

    return handler


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (plain(200, b"one"), "one"),
        (stream_of(b"o", b"n", b"e"), "one"),
        (EVENT_STREAM + b"3;ext=1\r\none\r\n0\r\nTrailer: x\r\n\r\n", "one"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + plain(200, b"one"), "one"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", ""),
    ],
)
async def test_after_a_complete_body_the_connection_is_reused(answer: bytes, text: str) -> None:
    seen: set[asyncio.StreamWriter] = set()
    async with client_of(counting(answer, seen)) as (_, client):
        for _ in range(3):
            assert (await client.post("/", content=b"x")).text == text
    assert len(seen) == 1


async def test_a_body_can_end_with_its_connection() -> None:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nto the end")
        await writer.drain()
        writer.close()

    async with client_of(handler) as (raw, client):
        assert (await client.get("/")).text == "to the end"
        assert (await client.get("/")).text == "to the end"
    assert len(raw.requests) == 2


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        EVENT_STREAM + chunk(b"half"),
    ],
)
async def test_a_truncated_body_is_an_error_after_the_received_bytes(answer: bytes) -> None:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        writer.close()

    got = b""
    async with client_of(handler) as (_, client):
        async with client.stream("GET", "/") as response:
            with pytest.raises(httpx.ReadError):
                async for part in response.aiter_raw():
                    got += part
    assert got == b"half"


async def test_a_connection_closed_while_idle_is_not_reused() -> None:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)
        await writer.drain()
        writer.close()

    async with client_of(handler) as (raw, client):
        for _ in range(5):
            assert (await client.post("/", content=b"x")).status_code == 200
    assert len(raw.requests) == 5


async def test_a_sent_request_is_never_sent_again() -> None:
    answers = [OK]

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        if answers:
            writer.write(answers.pop())
        else:
            writer.close()

    async with client_of(handler) as (raw, client):
        await client.post("/", content=b"x")
        with pytest.raises(httpx.ReadError):
            await client.post("/", content=b"x")
    assert len(raw.requests) == 2


async def test_unsolicited_bytes_close_the_connection() -> None:
    async with client_of(always(OK + OK)) as (raw, client):
        assert (await client.get("/")).text == "{}"
        assert (await client.get("/")).text == "{}"
        assert raw.closed.is_set()


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * (http_connection.MAX_HEAD_BYTES + 1),
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * (http_connection.MAX_HEADERS + 1) + b"\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000,
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
)
async def test_an_oversized_or_invalid_response_head_closes_the_connection(head: bytes) -> None:
    async with client_of(always(head)) as (raw, client):
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get("/")
        await raw.closed.wait()


async def test_a_late_end_of_the_chunked_encoding_keeps_the_connection() -> None:
    seen: set[asyncio.StreamWriter] = set()

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        seen.add(writer)
        writer.write(EVENT_STREAM + chunk(b"all"))
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.write(b"0\r\n\r\n")

    async with client_of(handler, connections=1) as (_, client):
        for _ in range(3):
            async with client.stream("GET", "/") as response:
                async with aclosing(response.aiter_raw()) as parts:
                    assert await anext(parts) == b"all"
                response.extensions["drain"]()
    assert len(seen) == 1


async def test_a_response_that_never_ends_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_connection, "DRAIN_SECONDS", 0.05)
    async with client_of(always(EVENT_STREAM + chunk(b"all"))) as (raw, client):
        async with client.stream("GET", "/") as response:
            response.extensions["drain"]()
        await raw.closed.wait()


async def test_a_long_rest_of_a_body_is_not_read() -> None:
    rest = chunk(b"x" * 1024) * 2 * (http_connection.MAX_DRAINED_BYTES // 1024)
    async with client_of(always(EVENT_STREAM + rest)) as (raw, client):
        async with client.stream("GET", "/") as response:
            response.extensions["drain"]()
        await raw.closed.wait()


async def test_stopping_in_the_middle_of_a_body_closes_the_connection() -> None:
    async with client_of(always(EVENT_STREAM + chunk(b"so far"))) as (raw, client):
        async with client.stream("GET", "/"):
            pass
        await raw.closed.wait()


async def test_unread_data_pauses_the_upstream() -> None:
    part, written = chunk(b"x" * 65_536), 0

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        writer.write(EVENT_STREAM)
        while True:
            writer.write(part)
            await writer.drain()
            written += len(part)

    async def standstill() -> int:
        before = -1
        while before != written:
            before = written
            await asyncio.sleep(0.2)
        return written

    async with client_of(handler) as (_, client):
        async with client.stream("GET", "/") as response:
            before = await standstill()
            async with aclosing(response.aiter_raw()) as parts:
                got = len(await anext(parts))
                assert got <= http_connection.MAX_WAITING_BYTES + 256 * 1024  # of one recv()
                while got < before + 1024 * 1024:
                    got += len(await anext(parts))


async def test_data_that_arrives_at_once_is_parsed_in_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chunks of one byte are the most expensive body."""
    done = most = 0
    on_body = http_connection.HttpConnection.on_body

    def counted(self: http_connection.HttpConnection, data: bytes) -> None:
        nonlocal done
        done += 1
        on_body(self, data)

    async def watch() -> None:
        nonlocal most
        before = 0
        while True:
            most, before = max(most, done - before), done
            await asyncio.sleep(0)

    monkeypatch.setattr(http_connection.HttpConnection, "on_body", counted)
    async with client_of(always(stream_of(*[b"x"] * 50_000))) as (_, client):
        watching = asyncio.create_task(watch())
        response = await client.get("/")
        watching.cancel()
    assert response.text == "x" * 50_000
    assert most <= http_connection.SLICE_BYTES // len(chunk(b"x")) + 1


async def test_a_header_with_a_line_break_is_refused() -> None:
    async with client_of(always(OK)) as (raw, client):
        with pytest.raises(httpx.LocalProtocolError):
            await client.get("/", headers={"X-Id": "a\r\nX-Admin: 1"})
    assert raw.requests == []


async def test_a_body_of_unknown_length_is_sent_with_its_length() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"in "
        yield b"parts"

    async with client_of(always(OK)) as (raw, client):
        await client.post("/", content=body())
    head, _, sent = raw.requests[0].partition(b"\r\n\r\n")
    assert sent == b"in parts"
    assert b"content-length: 8" in head.lower()
    assert b"chunked" not in head.lower()


async def test_a_response_to_head_has_no_body() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    async with client_of(in_turn(head, OK)) as (_, client):
        assert (await client.head("/")).text == ""
        assert (await client.get("/")).text == "{}"
