"""Encode only the text of an answer, for clients that read a response as plain text."""

from chat.generations.delivery.encoders.base import FrameReader, is_filtered


class AnswerIncomplete(Exception):
    """The answer is incomplete.

    Breaking the connection is the only way to report this to a plain-text client.
    """


class PlainTextEncoder:
    """Encode the text and nothing else.

    There is no heartbeat, because clients would read it as text.
    """

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

    def closing(self) -> bytes:
        """Raise `AnswerIncomplete` if the answer is incomplete.

        A normal end of the response would pass for a complete answer.
        """
        if not self._is_whole:
            raise AnswerIncomplete
        return b""
