"""No request whose first line and headers are longer than a limit reaches Django.

The server has read them by then (uvicorn takes a megabyte, Daphne 16 KB for each line), so this
saves the work, not the bytes; a proxy in front saves both.
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
from project.asgi_guards.refusals import refuse

LINE_EXTRA = 4  # ": " and the end of the line
#: Python splits the parameters of these in quadratic time.
MAX_VALUE_BYTES = {b"content-type": 256, b"accept": 1024, b"content-disposition": 256}


class HeaderLimit:
    """ASGI middleware: answers 431 for HTTP requests with more than `max_bytes` of headers."""

    def __init__(self, app: ASGI3Application, max_bytes: int) -> None:
        self.app, self.max_bytes = app, max_bytes

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "http" and (
            _size(scope) > self.max_bytes or not all(map(_has_short_value, scope["headers"]))
        ):
            metrics.shed("headers")
            await refuse(scope, send, HeadersTooLong())
        else:
            await self.app(scope, receive, send)


def _size(scope: HTTPScope) -> int:
    line = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
    return line + sum(len(name) + len(value) + LINE_EXTRA for name, value in scope["headers"])


def _has_short_value(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return len(value) <= MAX_VALUE_BYTES.get(name.lower(), len(value))
