"""An MCP server of raw bytes, for what no server should do."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, chunk, plain

Rude = Callable[[dict[str, Any], asyncio.StreamWriter], Awaitable[None]]
Reply = bytes | dict[str, Any] | Rude

TOOL = {"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}}
USUAL: Mapping[str, Reply] = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}},
    "tools/list": {"tools": [TOOL]},
    "tools/call": {"content": [{"type": "text", "text": "once more"}]},
}
ACCEPTED = plain(202, b"")


def mcp_handler(replies: Mapping[str, Reply] | None = None) -> Handler:
    """Answer each method: with a result, with raw bytes, or by a function that writes them."""
    known = {**USUAL, **(replies or {})}

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        message = message_of(request)
        reply = known.get(message.get("method", ""), ACCEPTED)
        if isinstance(reply, dict):
            reply = plain(200, encoded(message, reply))
        if isinstance(reply, bytes):
            writer.write(reply)
        else:
            await reply(message, writer)

    return handler


def message_of(request: bytes) -> dict[str, Any]:
    body = request.partition(b"\r\n\r\n")[2]
    found: dict[str, Any] = json.loads(body) if body else {}
    return found


def methods_of(requests: list[bytes]) -> list[str]:
    return [message_of(each).get("method", "") for each in requests]


def encoded(message: dict[str, Any], result: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode()


def event(data: dict[str, Any] | bytes) -> bytes:
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    return b"event: message\ndata: %b\n\n" % text


def events_then(*events: bytes, result: dict[str, Any] | None = None, again: bool = False) -> Rude:
    """Send these events, `again` for ever, and then the result, if there is one."""

    async def write(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(EVENT_STREAM)
        for each in events:
            writer.write(chunk(each))
        while again:
            writer.write(b"".join(map(chunk, events)))
            await writer.drain()
        if result is not None:
            writer.write(chunk(event(encoded(message, result))))
        writer.write(b"0\r\n\r\n")

    return write


async def stall(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


async def close(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
    writer.close()


def endless(head: bytes, part: bytes) -> Rude:
    """Send a body that never ends."""

    async def write(message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(part)
            await writer.drain()

    return write
