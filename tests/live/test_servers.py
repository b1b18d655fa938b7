"""The site in a real server process."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from chat.lib.sse import SseDecoder
from project.asgi.guards.long_bodies import MESSAGE
from tests.support.generations.stream_reader import SAME_ORIGIN, Stream
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import ROOT, Server, signed_up

JSON = {**SAME_ORIGIN, "Content-Type": "application/json"}
LIMIT = 4 * 1024 * 1024


pytestmark = pytest.mark.xdist_group("live")


@pytest.fixture(scope="module")
def alice_online(server: Server) -> Iterator[httpx.Client]:
    client = signed_up(server)
    yield client
    client.close()


def read(response: httpx.Response) -> Stream:
    stream, decoder = Stream(), SseDecoder()
    for chunk in response.iter_raw():
        stream.feed(decoder, chunk)
    return stream


def test_an_answer_arrives_while_it_is_generated(alice_online: httpx.Client) -> None:
    body = json.dumps({"prompt": "/slow"})
    arrivals: list[float] = []
    with alice_online.stream("POST", "/chat/stream", content=body, headers=JSON) as response:
        assert response.status_code == 200
        assert "content-encoding" not in response.headers
        for _ in response.iter_raw():
            arrivals.append(time.monotonic())
            if len(arrivals) == 12:
                break
    assert len(arrivals) == 12
    assert arrivals[-1] > arrivals[0]


def test_open_streams_hold_no_threads(server: Server, alice_online: httpx.Client) -> None:
    def threads() -> int:
        return len(os.listdir(f"/proc/{server.pid}/task"))

    before, body, open_ones = threads(), json.dumps({"prompt": "/slow"}), []
    with ExitStack() as streams:
        for _ in range(12):
            stream = alice_online.stream("POST", "/chat/stream", content=body, headers=JSON)
            open_ones.append(streams.enter_context(stream).iter_raw())  # dropped, it would close
            next(open_ones[-1])
        assert threads() < before + 6


def test_a_conversation_of_one_megabyte_is_answered(alice_online: httpx.Client) -> None:
    turns = [{"role": "user", "content": "word " * 520} for _ in range(400)]
    body = json.dumps({"messages": [*turns, {"role": "user", "content": "Well?"}]})
    assert len(body) > 1_000_000
    with alice_online.stream("POST", "/chat/stream", content=body, headers=JSON) as response:
        stream = read(response)
    assert stream.payloads[0]["omitted_messages"] > 300
    assert stream.done


@pytest.mark.parametrize("chunked", [False, True])
def test_ten_megabytes_are_refused_with_a_message(
    chunked: bool, alice_online: httpx.Client
) -> None:
    body = b'{"prompt":"' + b"x" * 10 * 1024 * 1024 + b'"}'
    content = iter([body[:5_000_000], body[5_000_000:]]) if chunked else body
    response = alice_online.post("/chat/stream", content=content, headers=JSON)
    assert response.status_code == 413
    error = response.json()["error"]
    assert error["code"] == "body_too_long"
    assert MESSAGE in (ROOT / "static/js/api/errors.js").read_text()  # so it is translated there
    assert error["limit_bytes"] == 4 * 1024 * 1024


def test_a_body_just_below_the_limit_is_read(alice_online: httpx.Client) -> None:
    body = b'{"prompt":"' + b"x" * (LIMIT - 20) + b'"}'
    response = alice_online.post("/chat/stream", content=body, headers=JSON)
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "message_too_long"


def test_a_websocket_is_refused_without_a_traceback(server: Server) -> None:
    with socket.create_connection((urlsplit(server.url).hostname, urlsplit(server.url).port)) as s:
        s.sendall(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        s.settimeout(PATIENCE_SECONDS)
        assert s.recv(200).split()[1] in {b"403", b"404"}
    assert "Traceback" not in server.log.read_text()


def test_static_files_are_hashed_compressed_and_cached(server: Server) -> None:
    page = httpx.get(f"{server.url}/accounts/login/").text
    start = page.index("/static/")
    address = page[start : page.index('"', start)]
    response = httpx.get(f"{server.url}{address}", headers={"Accept-Encoding": "gzip"})
    assert response.status_code == 200
    assert "immutable" in response.headers["cache-control"]
    assert response.headers["content-encoding"] == "gzip"


def test_invalid_requests_do_not_break_the_server(server: Server) -> None:
    for garbage in (
        b"\x00" * 100,
        b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/9\r\n\r\n",
    ):
        with socket.create_connection(
            (urlsplit(server.url).hostname, urlsplit(server.url).port)
        ) as s:
            s.sendall(garbage)
    assert httpx.get(f"{server.url}/healthz").text == "ok\n"
