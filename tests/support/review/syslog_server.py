"""A syslog server on this machine that keeps what it gets, by UDP or TCP."""

import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

COUNTED = re.compile(rb"(\d+) ")


class Received:
    """The messages that came, and where to send them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.messages: list[bytes] = []


def split_counted(content: bytes) -> list[bytes]:
    """Return the messages of a stream with octet counting. Raise `ValueError`."""
    messages = []
    while content:
        count = COUNTED.match(content)
        if not count:
            raise ValueError(content[:40])
        end = count.end() + int(count[1])
        if len(content) < end:
            raise ValueError("it is cut")
        messages.append(content[count.end() : end])
        content = content[end:]
    return messages


@contextmanager
def tcp_server(port: int = 0, *, breaks_off: bool = False) -> Iterator[Received]:
    """Run a server, which reads to the end and closes, or breaks off with a reset."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            if breaks_off:
                linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"  # closing then resets
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.request.recv(1)
                self.request.close()
                return
            content = b"".join(iter(lambda: self.request.recv(65_536), b""))
            received.messages += split_counted(content)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = False
        block_on_close = True

    server = Server(("127.0.0.1", port), Handler)
    received = Received(server.server_address[1])
    with _served(server):
        yield received


@contextmanager
def udp_server() -> Iterator[Received]:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            received.messages.append(self.request[0])

    server = socketserver.UDPServer(("127.0.0.1", 0), Handler)
    server.max_packet_size = 65_536
    received = Received(server.server_address[1])
    with _served(server):
        yield received


@contextmanager
def _served(server: Any) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
