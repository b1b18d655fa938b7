"""Refuse requests whose first line and headers are too long.

The server has already read them (uvicorn accepts a megabyte), so this saves the work but not the
bytes; a proxy in front saves both.
"""

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPScope,
    Scope,
)

from chat.errors import HeadersTooLong
from chat.lib import metrics
from project.asgi.guards.refusals import refuse

LINE_EXTRA = 4  # ": " and the end of the line
#: Python parses the parameters of these headers in quadratic time.
MAX_VALUE_BYTES = {b"content-type": 256, b"accept": 1024, b"content-disposition": 256}


class HeaderLimit:
    """ASGI middleware that answers 431 to requests with more than `max_bytes` of headers."""

    def __init__(self, app: ASGI3Application, max_bytes: int) -> None:
        self.app, self.max_bytes = app, max_bytes

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "http" and (
            _size(scope) > self.max_bytes or not all(map(_has_short_value, scope["headers"]))
        ):
            metrics.record_shed("header_size")
            await refuse(scope, send, HeadersTooLong())
        else:
            await self.app(scope, receive, send)


def _size(scope: HTTPScope) -> int:
    line = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
    return line + sum(len(name) + len(value) + LINE_EXTRA for name, value in scope["headers"])


def _has_short_value(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return len(value) <= MAX_VALUE_BYTES.get(name.lower(), len(value))
