"""Limit how many WebSockets an address opens, before anything is looked up for them.

Requests are counted by `chat/middleware/request_rate.py`, which WebSockets don't pass.
"""

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from chat.accounts.client_ip import UNKNOWN, address_of
from chat.lib.limits import TokenBuckets, refusal

BURST_SECONDS = 10  # an address may open as many as this period allows at once

buckets = TokenBuckets()


class SocketRate:
    """ASGI middleware that refuses handshakes of addresses that have sent too many."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        is_refused = _seconds_to_wait(scope) > 0
        await (WebsocketDenier() if is_refused else self.application)(scope, receive, send)


def _seconds_to_wait(scope: Any) -> float:
    per_second = settings.MAX_ADDRESS_REQUESTS_PER_SECOND
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    peer = (scope.get("client") or ("",))[0]
    address = address_of(b",".join(values).decode("latin-1"), str(peer))
    if not per_second or address == UNKNOWN:
        return 0.0
    wait_seconds = buckets.take(address, per_second, per_second * BURST_SECONDS)
    if wait_seconds:
        refusal("requests", wait_seconds)
    return wait_seconds
