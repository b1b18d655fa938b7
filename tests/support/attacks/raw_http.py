"""Send bytes to a server that no HTTP library would send."""

import re
import socket
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Heard:
    """What a server sent until it closed the connection or said nothing for `quiet` seconds."""

    data: bytes
    is_closed: bool

    @property
    def statuses(self) -> list[int]:
        return [int(each) for each in STATUS_LINE.findall(self.data)]


def say(
    url: str,
    *pieces: bytes,
    quiet: float = 1.0,
    name: str = "",
    patience: float = PATIENCE_SECONDS,
) -> Heard:
    """Send the pieces one after the other on one connection, and listen.

    The server is silent when it waits for more, so `quiet` only decides how long the test takes, not
    what it finds. `patience` is how long to wait for the first byte, where there may be none.
    """
    place = urlsplit(url)
    plain = socket.create_connection((place.hostname, place.port), timeout=PATIENCE_SECONDS)
    with _encrypted(plain, name) if place.scheme == "https" else plain as connection:
        with suppress(ConnectionError, ssl.SSLError):
            for piece in pieces:
                connection.sendall(piece)
        return _listen(connection, quiet, patience)


def _encrypted(plain: socket.socket, name: str) -> socket.socket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    return context.wrap_socket(plain, server_hostname=name or None)


def _listen(connection: socket.socket, quiet: float, patience: float) -> Heard:
    data, deadline = b"", time.monotonic() + PATIENCE_SECONDS
    try:
        while time.monotonic() < deadline:
            connection.settimeout(quiet if data else patience)
            piece = connection.recv(65536)
            if not piece:
                return Heard(data, True)
            data += piece
    except TimeoutError:
        return Heard(data, False)
    except (ConnectionError, ssl.SSLError):
        return Heard(data, True)
    return Heard(data, False)
