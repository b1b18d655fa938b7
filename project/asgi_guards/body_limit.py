"""Refuse request bodies above a limit, whatever `Content-Length` says.

Bytes are counted as they arrive. The rest of a long body is discarded for a while, because a
browser that is still sending when the connection closes shows a network error instead of the
response; after that, the connection is closed.
"""

import json
from collections.abc import Collection, Mapping
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    Scope,
)

from chat.error_responses import TOO_LONG
from chat.lib.api_formats.program_errors import error_for_program
from chat.web.http.json_body import RequestTooLong
from project.asgi_guards.form_limit import MULTIPART, URLENCODED

#: A longer body is read up to this many times the limit, so that the client gets the refusal.
PATIENCE = 16
#: Headers that describe a body.
OF_BODIES = {b"content-type", b"content-length", b"transfer-encoding"}
#: The language is not known yet; the page has a translation of this text.
MESSAGE = "This is too long for this site. Shorten it. Your draft is saved."


class BodyTooLong(Exception):
    """Raised in `receive`, through Django, to the guard."""


class BodyLimit:
    """ASGI middleware that answers 413 for bodies of more than `max_bytes`.

    `uploads` maps paths to larger limits. Above those of upload pages, which are in `pages`,
    browsers are redirected to the page, which explains. For other forms, Django renders the
    site's error page: it gets a request without the body, and with `TOO_LONG` in the scope.
    """

    def __init__(
        self,
        app: ASGI3Application,
        max_bytes: int,
        uploads: Mapping[str, int] | None = None,
        pages: Collection[str] = (),
    ) -> None:
        self.app, self.max_bytes, self.uploads, self.pages = app, max_bytes, uploads or {}, pages

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        count = 0
        max_bytes = self.uploads.get(scope["path"], self.max_bytes)

        async def counted() -> ASGIReceiveEvent:
            nonlocal count
            event = await receive()
            if event["type"] == "http.request":
                count += len(event["body"])
                if count > max_bytes:
                    await self._discard(event.get("more_body", False), count, receive)
                    raise BodyTooLong
            return event

        try:
            if _announced(scope) > max_bytes:
                await self._discard(True, 0, receive)
                raise BodyTooLong
            await self.app(scope, counted, send)
        except BodyTooLong:
            if scope["path"] in self.pages:
                await self._lead_back(scope, send)
            elif _is_form_of_browser(scope):
                await self._show_error_page(scope, receive, send)
            else:
                await self._refuse(scope["path"], max_bytes, send)

    async def _discard(self, more: bool, count: int, receive: ASGIReceiveCallable) -> None:
        while more and count <= self.max_bytes * PATIENCE:
            event = await receive()
            if event["type"] != "http.request":
                return
            count += len(event["body"])
            more = event.get("more_body", False)

    async def _lead_back(self, scope: HTTPScope, send: ASGISendCallable) -> None:
        headers = [
            (b"location", f"{scope['path']}?too_long".encode()),
            (b"content-length", b"0"),
            (b"connection", b"close"),
        ]
        await send(
            {"type": "http.response.start", "status": 303, "headers": headers, "trailers": False}
        )
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _show_error_page(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name not in OF_BODIES]
        bodiless = cast("HTTPScope", {**scope, "method": "GET", "headers": headers, TOO_LONG: True})
        is_read = False

        async def nothing() -> ASGIReceiveEvent:
            nonlocal is_read
            if not is_read:
                is_read = True
                return {"type": "http.request", "body": b"", "more_body": False}
            while (event := await receive())["type"] == "http.request":
                pass  # the rest of the long body
            return event

        async def closing(event: ASGISendEvent) -> None:
            if event["type"] == "http.response.start":
                event["headers"] = [*event["headers"], (b"connection", b"close")]
            await send(event)

        await self.app(bodiless, nothing, closing)

    async def _refuse(self, path: str, max_bytes: int, send: ASGISendCallable) -> None:
        error = {
            "code": "body_too_long",
            "message": MESSAGE,
            "retryable": False,
            "limit_bytes": max_bytes,
        }
        words = f"The request has more than the {max_bytes:,} bytes that are possible here."
        told = error_for_program(path, RequestTooLong(words))
        body = json.dumps(told.body if told else {"error": error}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        await send(
            {"type": "http.response.start", "status": 413, "headers": headers, "trailers": False}
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _is_form_of_browser(scope: HTTPScope) -> bool:
    """Return whether a page follows; the page's scripts ask for JSON."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    return kind in (URLENCODED, MULTIPART) and b"text/html" in headers.get(b"accept", b"")


def _announced(scope: HTTPScope) -> int:
    """Return Content-Length, or 0 if it is absent or invalid (the bytes are counted anyway)."""
    values = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return int(values[0]) if len(values) == 1 and values[0].isdigit() else 0
