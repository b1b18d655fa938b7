"""The words of an answer and nothing else, for clients that read a response as text."""

from chat.generations.delivery.encoders.base import FrameReader, is_filtered


class AnswerBroken(Exception):
    """The answer did not come to its end, and a broken connection is the only way to say so."""


class PlainTextEncoder:
    """Leaves out all but the words. A heartbeat would be read as words, so there is none."""

    content_type = "text/plain; charset=utf-8"

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self._reader = FrameReader()
        self._is_whole = False

    def opening(self, after: int, frames: bytes) -> bytes:
        return self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        words = []
        for _seq, payload in self._reader.read(frames):
            if payload is not None:
                words.append(payload["response"])
                ended = payload.get("state") in {"complete", "stopped"}
                self._is_whole |= ended and not is_filtered(payload)
        return "".join(words).encode()

    def heartbeat(self) -> bytes:
        return b""

    def ending(self) -> bytes:
        """Raises `AnswerBroken`: a response that ends as usual would pass for a whole answer."""
        if not self._is_whole:
            raise AnswerBroken
        return b""
