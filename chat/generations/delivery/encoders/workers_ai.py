"""Encode answers in the project's own format: the frames unchanged.

The format is that of Workers AI with additional keys.
"""

from chat.generations.delivery.encoders.base import Frame, FrameReader
from chat.generations.log.frames import DONE, encode
from chat.lib.sse import comment, frame, retry

RETRY_MILLISECONDS = 1000
EMPTY = b'{"response":""}'
RETRY = retry(RETRY_MILLISECONDS)
#: Text never contains these: JSON escapes quotation marks inside strings.
TERMINAL_KEYS = (b'"error":', b'"state":')


class WorkersAIEncoder:
    """Pass frames through. The first event carries `retry:`, as some clients fail without data.

    `id_prefix` is for third-party clients. It precedes the number in each id, because these clients
    cannot otherwise say which answer they resume; they also get an `error` for an interrupted
    answer, because they do not know states. `has_data_heartbeats` is for clients that fail on
    comments.
    """

    content_type = "text/event-stream"

    def __init__(self, id_prefix: str = "", *, has_data_heartbeats: bool = False) -> None:
        self.headers: dict[str, str] = {}
        self._prefix = id_prefix.encode()
        self._reader = FrameReader()
        self._heartbeat = frame(EMPTY) if has_data_heartbeats else comment()

    def opening(self, after: int, frames: bytes) -> bytes:
        return RETRY + self.frames(frames or frame(EMPTY, after))

    def frames(self, frames: bytes) -> bytes:
        if not self._prefix:
            return frames
        if any(key in frames for key in TERMINAL_KEYS):
            frames = b"".join(map(_bytes, self._reader.read(frames)))
        # JSON contains no raw line breaks, so `id:` can only occur at the start of an event.
        rest = frames.removeprefix(b"id: ").replace(b"\n\nid: ", b"\n\nid: " + self._prefix)
        return b"id: " + self._prefix + rest

    def heartbeat(self) -> bytes:
        return self._heartbeat

    def closing(self) -> bytes:
        return b""


def _bytes(each: Frame) -> bytes:
    return frame(DONE, each.seq) if each.payload is None else encode(each.payload, each.seq)
