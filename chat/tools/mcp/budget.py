"""Bound what a server sends in one session, by whatever way it is connected."""

from dataclasses import dataclass

from chat.tools.mcp.errors import McpError
from chat.tools.mcp.protocol import Message, decoded

#: One message, and everything that a server sends in one session.
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
MAX_SESSION_BYTES = 8 * 1024 * 1024
MAX_MESSAGES = 1000


@dataclass(slots=True)
class Budget:
    """What is left for one session."""

    bytes_left: int = MAX_SESSION_BYTES
    messages_left: int = MAX_MESSAGES

    def take(self, chunk: bytes) -> bytes:
        """Count bytes of the server. Raise `McpError` if there are too many."""
        self.bytes_left -= len(chunk)
        if self.bytes_left < 0:
            raise McpError("too_long")
        return chunk

    def read(self, data: bytes | str) -> Message:
        """Return a message, and count it. An empty one says nothing."""
        self.messages_left -= 1
        if self.messages_left < 0:
            raise McpError("flood")
        message: Message = decoded(data, Message) if data.strip() else Message()
        return message
