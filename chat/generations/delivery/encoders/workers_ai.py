"""Our own stream format, which is Workers AI's with more keys: the frames as they are."""

from chat.generations.delivery.encoders.base import Frame, FrameReader
from chat.generations.log.frames import DONE, encode
from chat.lib.sse import comment, frame, retry

RETRY_MILLISECONDS = 1000
EMPTY = b'{"response":""}'
RETRY = retry(RETRY_MILLISECONDS)
#: No text contains these: inside a string JSON writes quotation marks as \".
TERMINAL_KEYS = (b'"error":', b'"state":')


class WorkersAIEncoder:
    """The first event carries `retry:`: some clients fail on a block without data.

    `id_prefix` is for other people's clients. It goes before the number in each id, as they cannot
    say in another way which answer they want to resume; and they get an `error` for an interrupted
    answer, as they know no states. `has_data_heartbeats` is for clients that fail on comments.
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
        # JSON has no raw line breaks, so an id stands nowhere but at the beginning of an event.
        rest = frames.removeprefix(b"id: ").replace(b"\n\nid: ", b"\n\nid: " + self._prefix)
        return b"id: " + self._prefix + rest

    def heartbeat(self) -> bytes:
        return self._heartbeat

    def ending(self) -> bytes:
        return b""


def _bytes(each: Frame) -> bytes:
    return frame(DONE, each.seq) if each.payload is None else encode(each.payload, each.seq)
