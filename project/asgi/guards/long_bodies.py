"""Answer requests whose body is too long."""

import json
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
)

from chat.lib.scope_keys import TOO_LONG
from chat.web.http.json_body import RequestTooLong
from project.asgi.guards.form_counter import form_kind
from project.asgi.guards.refusals import header, respond, told_to_program

#: Headers that describe a body.
OF_BODIES = {b"content-type", b"content-length", b"transfer-encoding"}
#: The language is not known yet; the page has a translation of this text.
MESSAGE = "This is too long for this site. Shorten it. Your draft is saved."


def is_form_of_browser(scope: HTTPScope) -> bool:
    """Return whether a page follows; the page's scripts ask for JSON."""
    return bool(form_kind(scope)) and b"text/html" in header(scope["headers"], b"accept")


async def redirect_to_page(scope: HTTPScope, send: ASGISendCallable) -> None:
    """Lead a browser back to the page of the upload, which explains the limit."""
    await respond(send, 303, [(b"location", f"{scope['path']}?too_long".encode())])


async def show_error_page(
    app: ASGI3Application, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    """Let Django render the site's error page: without a body, and with `TOO_LONG` in the scope."""
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

    await app(bodiless, nothing, closing)


async def refuse(scope: HTTPScope, max_bytes: int, send: ASGISendCallable) -> None:
    """Answer 413 in the format of the programs that use the address, or in the site's."""
    error = {
        "code": "body_too_long",
        "message": MESSAGE,
        "retryable": False,
        "limit_bytes": max_bytes,
    }
    words = f"The request has more than the {max_bytes:,} bytes that are possible here."
    told = told_to_program(scope, RequestTooLong(words))
    body = json.dumps(told.body if told else {"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await respond(send, 413, headers, body)
