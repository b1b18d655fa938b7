"""Reading a generation's log as bytes on the wire: from a cursor to the end, with heartbeats."""

from collections.abc import AsyncGenerator

from chat.lib.sse import comment, retry
from chat.relay import registry
from chat.relay.generation import Generation

RETRY_MILLISECONDS = 1000


async def follow(
    generation: Generation, after: int, heartbeat_seconds: float
) -> AsyncGenerator[bytes]:
    """Frames after number `after`; a cursor ahead of the log gets the terminal frames only."""
    log = generation.log
    after = min(after, log.terminal_at if log.closed else len(log))
    registry.join(generation)
    try:
        yield retry(RETRY_MILLISECONDS)
        while True:
            chunk, after = log.read(after)
            if chunk:
                yield chunk
            elif log.closed:
                return
            else:
                await log.wait(after, heartbeat_seconds)
                if len(log) <= after and not log.closed:
                    yield comment()
    finally:
        registry.leave(generation)
