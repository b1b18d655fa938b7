"""Daphne accepts no more from a connection than the site's limits."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.servers.server import Server, running

pytestmark = pytest.mark.xdist_group("limits of daphne")

UPLOAD = "/settings/import/"
BODY, IMPORT, BUDGET = 100_000, 1_000_000, 3_000_000
LIMITS = {
    "MAX_BODY_BYTES": str(BODY),
    "MAX_IMPORT_BYTES": str(IMPORT),
    "MAX_AUDIO_BYTES": str(IMPORT),
    "MAX_TOTAL_BODY_BYTES": str(BUDGET),
    "SEND_TIMEOUT_SECONDS": "2",
    "BODY_IDLE_SECONDS": "120",
}
PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running("daphne", **LIMITS) as server:
        yield server


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)


def post(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode()


def spooled_bytes(server: Server) -> int:
    """Return the bytes that the server holds in unnamed files."""
    found = 0
    for each in Path(f"/proc/{server.pid}/fd").iterdir():
        try:
            if "(deleted)" in os.readlink(each):
                found += each.stat().st_size
        except FileNotFoundError:
            continue
    return found


def all_is_taken(clients: list[socket.socket]) -> bool:
    """Return whether the server has read all that was sent: no queue holds any of it."""
    ports = {each.getsockname()[1] for each in clients}
    queued = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, here, there, _, sent_and_received, *_ = line.split()
        if {int(each.rpartition(":")[2], 16) for each in (here, there)} & ports:
            queued.add(sent_and_received)
    return queued == {"00000000:00000000"}


def test_the_rest_of_an_oversized_body_is_not_kept(server: Server) -> None:
    with connected(server) as client:
        client.sendall(post("/chat/messages", "Transfer-Encoding: chunked"))
        for _ in range(40):
            client.sendall(b"%x\r\n%b\r\n" % (IMPORT // 4, b"x" * (IMPORT // 4)))
            assert spooled_bytes(server) <= IMPORT + 64 * 1024 + 1
        client.sendall(b"0\r\n\r\n")
        said = client.recv(65536)
    assert said.startswith(b"HTTP/1.1 413")
    assert b"Your draft is saved" in said


def test_all_bodies_together_stay_within_the_budget(server: Server) -> None:
    body = b"x" * IMPORT
    head = post(UPLOAD, f"Content-Length: {IMPORT}")
    with ExitStack() as stack:
        waiting = [stack.enter_context(connected(server)) for _ in range(5)]
        for each in waiting:
            each.sendall(head + body[:-1])
        until = time.monotonic() + PATIENCE_SECONDS
        while not all_is_taken(waiting) and time.monotonic() < until:
            time.sleep(0.01)
        assert spooled_bytes(server) >= 2 * IMPORT
        assert spooled_bytes(server) <= BUDGET + 5 * 64 * 1024
        codes = []
        for each in waiting:
            each.sendall(b"x")
            codes.append(each.recv(65536).split(b" ")[1])
    assert codes.count(b"503") == 2
    again = httpx.post(f"{server.url}{UPLOAD}", content=body, trust_env=False)
    assert again.status_code != 503  # what the others had is given back


@pytest.mark.parametrize(
    ("idle_seconds", "seconds"),
    [
        pytest.param("1", "60", id="stops"),
        pytest.param("60", "1", id="drips", marks=pytest.mark.long),
    ],
)
def test_a_body_that_never_arrives_times_out(idle_seconds: str, seconds: str) -> None:
    limits = {"BODY_IDLE_SECONDS": idle_seconds, "BODY_SECONDS": seconds}
    with running("daphne", **limits) as hasty, connected(hasty) as client:
        client.sendall(post("/chat/messages", "Content-Length: 1000") + b"x")
        assert client.recv(65536).startswith(b"HTTP/1.1 408")


def test_a_long_form_is_not_parsed_before_the_site_reads_it(server: Server) -> None:
    """Twisted would answer 400 to an invalid form; our response says what is wrong."""
    said = httpx.post(
        f"{server.url}/accounts/login/",
        content=b"--b\r\nbroken",
        headers={"Content-Type": "multipart/form-data; boundary=b"},
        trust_env=False,
    )
    assert said.status_code == 403  # no token


def test_a_body_with_an_offer_to_upgrade_to_http_2_is_accepted(server: Server) -> None:
    """As curl sends it; servers without HTTP/2 ignore the offer."""
    with connected(server) as client:
        offer = ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "Content-Length: 2"]
        client.sendall(post("/chat/messages", "Content-Type: application/json", *offer) + b"{}")
        assert client.recv(65536).startswith(
            b"HTTP/1.1 403"
        )  # who has no session is not refused as odd


def test_a_websocket_handshake_with_a_body_is_refused(server: Server) -> None:
    with connected(server) as client:
        upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Content-Length: 6"]
        client.sendall(post("/chat/notifications", *upgrade) + b"\x89\x80\0\0\0\0")
        assert client.recv(65536).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("header", ["", "Upgrade: h2c\r\n"], ids=["plain", "upgrade"])
def test_a_client_that_sends_requests_but_reads_nothing_is_disconnected(
    server: Server, header: str
) -> None:
    """Each response waits until the previous one was read, so they do not fill the memory."""
    path = next(Path(server.data_dir).glob("static/css/site.*.css")).name
    get = f"GET /static/css/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode()
    before = memory_bytes(server)
    with connected(server) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            try:
                client.send(get * 100)
            except BlockingIOError:
                time.sleep(0.05)
            except ConnectionError:
                break
        else:
            pytest.fail("it was never let go")
    assert memory_bytes(server) - before < 50_000_000


def test_a_client_that_reads_slowly_gets_everything(server: Server) -> None:
    count = 300
    path = next(Path(server.data_dir).glob("static/css/site.*.css"))
    get = f"GET /static/css/{path.name} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with connected(server) as client:
        client.sendall(get * count)
        left = path.stat().st_size * count
        while left > 0:
            left -= len(client.recv(65536))


def memory_bytes(server: Server) -> int:
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def test_a_response_to_head_has_no_body(server: Server) -> None:
    with connected(server) as client:
        head = "HEAD /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        client.sendall(head.encode() + head.replace("HEAD", "GET").encode())
        said = b""
        while b"</html>" not in said:
            said += client.recv(65536)
    first, second = said.split(b"HTTP/1.1 200")[1:]
    assert first.endswith(b"\r\n\r\n")
    assert b"<html" in second
