"""Serve an emulator over HTTP with any ASGI server."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import aclosing
from typing import Any

from chat.emulator.service import Emulator
from chat.emulator.wire import Answer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def application(emulator: Emulator) -> Application:
    """Return the ASGI application.

    A scripted connection reset leaves it as StreamReset: the server then drops the connection
    without the chunk that would end the response.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await _respond(emulator, scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    return serve


async def _respond(emulator: Emulator, scope: Scope, receive: Receive, send: Send) -> None:
    body = await _request_body(receive)
    if body is None:
        return
    answer = await emulator.handle(scope["method"], _target(scope), _headers(scope), body)
    sending = asyncio.ensure_future(_send_answer(answer, send))
    leaving = asyncio.ensure_future(_client_leaves(receive))
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if sending.done():
            sending.result()
    finally:
        sending.cancel()
        leaving.cancel()
        await asyncio.gather(sending, leaving, return_exceptions=True)


async def _send_answer(answer: Answer, send: Send) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    async with aclosing(answer.body) as parts:
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        # Send the headers now, even if the first token takes long.
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        async for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _request_body(receive: Receive) -> bytes | None:
    """Return the request's body; None if the client disconnected before it was complete."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _client_leaves(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _live(receive: Receive, send: Send) -> None:
    while True:
        phase = (await receive())["type"]
        await send({"type": f"{phase}.complete"})
        if phase == "lifespan.shutdown":
            return


def _target(scope: Scope) -> str:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope.get("query_string", b"")
    return (path + b"?" + query if query else path).decode("latin-1")


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
