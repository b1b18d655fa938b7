"""Send frames from the callback that appended them, without waking the response's task.

A task switch costs as much as all else that relaying a token takes. A write that does not block
needs none: the server only copies the bytes to the socket. If a write blocks, the task takes over.
"""

import types
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any

from chat.generations.delivery.encoders.base import Encoder

#: Longer frames are left to the task, which splits them.
MAX_DIRECT_BYTES = 4 * 1024

Write = Callable[[bytes], Coroutine[Any, Any, None]]


class DirectSend:
    """The way past the task of one response. Without a `write` it is not taken."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._blocked: tuple[Coroutine[Any, Any, None], Any] | None = None
        self._error: BaseException | None = None
        self.write: Write | None = None

    @property
    def needs_task(self) -> bool:
        """Return whether a write is blocked or has failed; `finish` has to be awaited then."""
        return self._blocked is not None or self._error is not None

    def send(self, frames: bytes) -> int | None:
        """Write `frames`, as far as that goes without waiting.

        Return how many bytes that made, or None if the task has to send them instead.
        """
        if self.write is None or self.needs_task or len(frames) > MAX_DIRECT_BYTES:
            return None
        encoded = b""
        try:
            encoded = self._encoder.frames(frames)
            if encoded:
                self._start(self.write(encoded))
        except Exception as error:  # the task raises it
            self._error = error
        return len(encoded)

    async def finish(self) -> None:
        """Wait until the blocked write returns; raise what a write has raised."""
        blocked, self._blocked = self._blocked, None
        if blocked:
            await _finish(*blocked)
        if self._error:
            raise self._error

    def close(self) -> None:
        if self._blocked:
            self._blocked[0].close()
            self._blocked = None

    def _start(self, writing: Coroutine[Any, Any, None]) -> None:
        try:
            awaited = writing.send(None)
        except StopIteration:
            return
        self._blocked = writing, awaited


@types.coroutine
def _finish(writing: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """Await the rest of a coroutine that has been started and waits for `awaited`."""
    while True:
        try:
            result = yield awaited
        except BaseException as error:
            step = partial(writing.throw, error)
        else:
            step = partial(writing.send, result)
        try:
            awaited = step()
        except StopIteration:
            return
