"""An address opens so many WebSockets and no more; others are served."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from chat.lib.limits import TokenBuckets
from chat.web.chat import socket_rate, socket_routes
from chat.web.chat.socket_rate import SocketRate


async def accepting(_scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})


async def is_accepted(address: str) -> bool:
    headers = [(b"x-forwarded-for", address.encode())]
    socket = WebsocketCommunicator(SocketRate(accepting), "/chat/notifications", headers=headers)
    accepted, _ = await socket.connect()
    return accepted


async def test_handshakes_of_an_address_are_counted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_ADDRESS_REQUESTS_PER_SECOND, settings.TRUSTED_PROXY_COUNT = 0.01, 1
    monkeypatch.setattr(socket_rate, "BURST_SECONDS", 200)
    monkeypatch.setattr(socket_rate, "buckets", TokenBuckets())
    assert [await is_accepted("192.0.2.1") for _time in range(3)] == [True, True, False]
    assert await is_accepted("192.0.2.2")
    assert not await is_accepted("192.0.2.7, 192.0.2.1")


def test_all_sockets_of_the_site_are_counted() -> None:
    assert isinstance(socket_routes.application, SocketRate)
