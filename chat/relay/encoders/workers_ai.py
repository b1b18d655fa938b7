"""Our own stream format, which is Workers AI's with more keys: the frames as they are."""

from chat.lib.sse import comment, frame, retry

RETRY_MILLISECONDS = 1000
EMPTY = b'{"response":""}'
RETRY = retry(RETRY_MILLISECONDS)


class WorkersAIEncoder:
    """The first event carries `retry:`: some clients fail on a block without data.

    `id_prefix` goes before the number in each id, where the client cannot say in another way which
    answer it wants to resume. `has_data_heartbeats` is for clients that fail on comments.
    """

    content_type = "text/event-stream"

    def __init__(self, id_prefix: str = "", *, has_data_heartbeats: bool = False) -> None:
        self.headers: dict[str, str] = {}
        self._prefix = id_prefix.encode()
        self._heartbeat = frame(EMPTY) if has_data_heartbeats else comment()

    def opening(self, after: int, frames: bytes) -> bytes:
        return RETRY + self.frames(frames or frame(EMPTY, after))

    def frames(self, frames: bytes) -> bytes:
        if not self._prefix:
            return frames
        # JSON has no raw line breaks, so an id stands nowhere but at the beginning of an event.
        rest = frames.removeprefix(b"id: ").replace(b"\n\nid: ", b"\n\nid: " + self._prefix)
        return b"id: " + self._prefix + rest

    def heartbeat(self) -> bytes:
        return self._heartbeat

    def ending(self) -> bytes:
        return b""
