"""How much a WebSocket may send us: next to nothing, since ours take nothing in.

A server reads whatever frames have come before anybody else has a turn, ten thousand empty ones in
a packet, and tells the application nothing of pings and pongs. So the bytes are counted where they
come in, before they are read as frames.
"""

import time
from typing import Any

#: A pong in 20 seconds, as browsers send them, is a twentieth of it.
MAX_BYTES_PER_MINUTE = 2048
MINUTE_SECONDS = 60


class ByteBudget:
    """What one connection has sent in this minute."""

    def __init__(self) -> None:
        self._minute = self._count = 0

    def takes(self, count: int) -> bool:
        """Whether so many bytes more are still within the budget."""
        minute = int(time.monotonic() // MINUTE_SECONDS)
        if minute != self._minute:
            self._minute, self._count = minute, 0
        self._count += count
        return self._count <= MAX_BYTES_PER_MINUTE


def install_under_uvicorn() -> None:
    """Count for the WebSocket protocol that uvicorn takes by default.

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
