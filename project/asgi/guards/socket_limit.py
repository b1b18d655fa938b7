"""Limit how much a WebSocket may send us: almost nothing, since ours accept no messages.

A server processes all frames that have arrived before anything else runs (ten thousand empty ones
in a packet) and does not report pings and pongs to the application. So bytes are counted before
they are parsed as frames.
"""

import time
from typing import Any

#: Twenty times what a browser's pongs (every 20 seconds) need.
MAX_BYTES_PER_MINUTE = 2048
MINUTE_SECONDS = 60


class ByteBudget:
    """The bytes that one connection has sent in this minute."""

    def __init__(self) -> None:
        self._minute = self._count = 0

    def takes(self, count: int) -> bool:
        """Count the bytes; return True if they are within the budget."""
        minute = int(time.monotonic() // MINUTE_SECONDS)
        if minute != self._minute:
            self._minute, self._count = minute, 0
        self._count += count
        return self._count <= MAX_BYTES_PER_MINUTE


def install_under_uvicorn() -> None:
    """Count bytes in uvicorn's default WebSocket protocol.

    uvicorn has chosen that class before it loads the application, so its method is wrapped.
    """
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    cls: Any = WebSocketsSansIOProtocol
    read = cls.data_received

    def data_received(self: Any, data: bytes) -> None:
        if self.handshake_initiated:
            budget = self.__dict__.setdefault("_byte_budget", ByteBudget())
            if not budget.takes(len(data)):
                self.transport.abort()
                return
        read(self, data)

    cls.data_received = data_received
