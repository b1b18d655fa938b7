"""Helpers for the tests of notifications."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from channels.testing import WebsocketCommunicator
from django.test import AsyncClient

from chat.web.chat import socket_routes
from tests.support.patience import PATIENCE_SECONDS


@asynccontextmanager
async def listening(client: AsyncClient, **headers: str) -> AsyncIterator[WebsocketCommunicator]:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    named = {"host": "localhost", "origin": "http://localhost", "cookie": cookies} | headers
    raw = [(name.encode(), value.encode()) for name, value in named.items()]
    socket = WebsocketCommunicator(socket_routes.application, "/chat/notifications", headers=raw)
    accepted, _ = await socket.connect(timeout=PATIENCE_SECONDS)
    assert accepted
    try:
        yield socket
    finally:
        await socket.disconnect()


async def closed_with(socket: WebsocketCommunicator) -> int:
    output = await socket.receive_output(timeout=PATIENCE_SECONDS)
    assert output["type"] == "websocket.close"
    return int(output["code"])
