"""An MCP server of raw bytes with its authorization server, for what neither should do."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.support.upstream.raw_upstream import Handler, plain

Rude = Callable[[asyncio.StreamWriter], Awaitable[None]]
Reply = bytes | dict[str, Any] | Rude

RESOURCE = "/.well-known/oauth-protected-resource/client/v4"
METADATA = "/.well-known/oauth-authorization-server"
MISSING = plain(404, b"{}")


def sign_in_handler(replies: Mapping[str, Reply] | None = None) -> Handler:
    """Answer each path: as a server that works, but for these `replies`."""

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        origin = f"http://{header_of(request, b'host')}"
        known = {**usual(origin), **(replies or {})}
        reply = known.get(path_of(request), MISSING)
        if isinstance(reply, dict):
            reply = plain(200, json.dumps(reply).replace("ORIGIN", origin).encode())
        if isinstance(reply, bytes):
            writer.write(reply.replace(b"ORIGIN", origin.encode(), 1))
        else:
            await reply(writer)

    return handler


def usual(origin: str) -> dict[str, Reply]:
    return {
        "/client/v4": plain(401, b"{}"),
        RESOURCE: {"resource": f"{origin}/client/v4", "authorization_servers": [origin]},
        METADATA: metadata(),
        "/register": {"client_id": "me"},
        "/token": {"access_token": "a1", "token_type": "Bearer", "refresh_token": "r1"},
    }


def metadata(**more: Any) -> dict[str, Any]:
    return {
        "issuer": "ORIGIN",
        "authorization_endpoint": "ORIGIN/authorize",
        "token_endpoint": "ORIGIN/token",
        "registration_endpoint": "ORIGIN/register",
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        **more,
    }


def path_of(request: bytes) -> str:
    return request.split(b" ", 2)[1].decode()


def header_of(request: bytes, name: bytes) -> str:
    head = request.partition(b"\r\n\r\n")[0].lower()
    return head.partition(b"\r\n%b: " % name)[2].partition(b"\r\n")[0].decode()
