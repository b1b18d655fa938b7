"""The streaming response that carries a generation's log."""

import weakref
from collections.abc import AsyncGenerator, Callable, Mapping

from django.http import StreamingHttpResponse

from chat.generations.delivery.encoders.base import Encoder
from chat.generations.task.registry import Subscription


class LogResponse(StreamingHttpResponse):
    """A streaming response whose iterator is its reader, without a wrapper.

    Closing the iterator therefore closes the reader; Django's own class wraps it in a generator and
    leaves closing it to the garbage collector. If the client disconnects before the first byte, the
    reader never starts, so its subscription is closed here.
    """

    _resource_closers: list[Callable[[], object]]  # Django's own

    def __init__(
        self,
        reader: AsyncGenerator[bytes],
        headers: Mapping[str, str],
        encoder: Encoder,
        subscription: Subscription | None = None,
    ) -> None:
        super().__init__(
            reader, content_type=encoder.content_type, headers={**encoder.headers, **headers}
        )
        self["Cache-Control"] = "no-store, no-transform"
        self["X-Accel-Buffering"] = "no"
        self._reader = reader
        self._unread = subscription and weakref.finalize(self, subscription.close_from_any_thread)
        if self._unread:
            self._unread.atexit = False

    def close(self) -> None:
        super().close()
        if self._unread:
            self._unread()

    def __aiter__(self) -> AsyncGenerator[bytes]:
        return self._reader

    def release_request(self) -> None:
        """Close and forget the request: its 10 KB are a seventh of the memory of a stream."""
        while self._resource_closers:
            self._resource_closers.pop()()
