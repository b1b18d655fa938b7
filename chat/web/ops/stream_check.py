"""Send a known sequence of events at a known pace, so that `manage.py doctor` can time its arrival.

It tells the caller how the request arrived here, which only the operator may know. So the request
needs a token that the command signs with SECRET_KEY; anybody else gets 404. A process serves one
such stream at a time, of a few seconds, so that a stolen token is of no use for causing load.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from chat.accounts.client_ip import client_address
from chat.errors import NotFound, Overloaded

TOKEN_SECONDS = 60
EVENTS = 15
INTERVAL_SECONDS = 0.2
#: After this, a stream that was never read counts as ended.
LONGEST_SECONDS = 10.0
DONE = "[DONE]"
VALUE = "stream check"

_busy_until = 0.0  # monotonic time


def make_token() -> str:
    """Return a token that opens the stream for `TOKEN_SECONDS`."""
    return _signer().sign(VALUE)


@require_GET
async def show(request: HttpRequest) -> StreamingHttpResponse:
    """Stream the events. Raise `NotFound` without a valid token, `Overloaded` during another."""
    global _busy_until
    if not _may_ask(request):
        raise NotFound
    now = time.monotonic()
    if now < _busy_until:
        raise Overloaded(retry_after_seconds=LONGEST_SECONDS)
    _busy_until = now + LONGEST_SECONDS
    # Like the stream of an answer: chat/generations/delivery/responses.py
    headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(
        _events(_arrival(request)), content_type="text/event-stream", headers=headers
    )


async def _events(arrival: dict[str, Any]) -> AsyncGenerator[bytes]:
    """Yield events with the seconds since the first; the first also says how the request came."""
    global _busy_until
    began = time.monotonic()
    try:
        for number in range(EVENTS):
            fact = {"number": number, "sent": time.monotonic() - began}
            yield _event(msgspec.json.encode(fact if number else fact | arrival).decode())
            await asyncio.sleep(INTERVAL_SECONDS)
        yield _event(DONE)
    finally:
        _busy_until = 0.0


def _event(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def _arrival(request: HttpRequest) -> dict[str, Any]:
    return {
        "client": client_address(request),
        "peer": str(request.META.get("REMOTE_ADDR") or ""),
        "peer_port": str(request.META.get("REMOTE_PORT", "")),
        "forwarded_for": request.headers.get("X-Forwarded-For", ""),
        "is_secure": request.is_secure(),
    }


def _may_ask(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    try:
        return scheme == "Bearer" and _signer().unsign(token, max_age=TOKEN_SECONDS) == VALUE
    except BadSignature:
        return False


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="chat.web.ops.stream_check")
