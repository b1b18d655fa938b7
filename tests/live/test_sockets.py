"""WebSockets that send too much are dropped."""

import socket
import struct
from collections.abc import Iterator

import httpx
import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server, signed_up

EMPTY_MASK = b"\0\0\0\0"


pytestmark = pytest.mark.xdist_group("live")


@pytest.fixture(scope="module")
def alice_client(server: Server) -> Iterator[httpx.Client]:
    client = signed_up(server, "alice@sockets.example.org")
    yield client
    client.close()


@pytest.mark.parametrize("opcode", [0x89, 0x8A, 0x01], ids=["ping", "pong", "fragment"])
def test_a_socket_full_of_empty_frames_is_dropped(
    server: Server, alice_client: httpx.Client, opcode: int
) -> None:
    with socket_of(server, alice_client) as client:
        frame = struct.pack("!BB", opcode, 0x80) + EMPTY_MASK
        try:
            for _ in range(200):
                client.sendall(frame * 1000)
                client.recv(65536)
        except ConnectionError:
            return
    pytest.fail("it took all of them")


def test_a_ping_is_answered(server: Server, alice_client: httpx.Client) -> None:
    with socket_of(server, alice_client) as client:
        client.sendall(struct.pack("!BB", 0x89, 0x81) + EMPTY_MASK + b"a")
        assert client.recv(100) == b"\x8a\x01a"


def socket_of(server: Server, client: httpx.Client) -> socket.socket:
    """Open a WebSocket as this member."""
    made = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)
    cookies = "; ".join(f"{each.name}={each.value}" for each in client.cookies.jar)
    head = [
        "GET /chat/notifications HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", f"Origin: {server.url}", f"Cookie: {cookies}", "", "",
    ]  # fmt: skip
    made.sendall("\r\n".join(head).encode())
    assert b" 101 " in made.recv(4096).split(b"\r\n")[0]
    return made
