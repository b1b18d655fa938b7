"""Answer the checks of `manage.py doctor`, which asks through the proxy and without it.

A paced stream shows whether something buffers, a silent one whether something gives up too early.
The rest tells how a request arrived here, which only the operator may know. So each request needs
a token that the command signs with SECRET_KEY; anybody else gets 404. A process serves one stream
of each kind at a time, so that a stolen token is of no use for causing load.
"""

import asyncio
import os
import socket
import time
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from chat.accounts.client_ip import client_address
from chat.errors import NotFound, Overloaded
from chat.lib.limits import Deadlines
from chat.web.ops.monitoring_host import named_host

TOKEN_SECONDS = 60
#: Carries the token a second time, so that a proxy that drops `Authorization` can be named.
SECOND_HEADER = "X-Doctor-Token"
#: Tells the proxy that the command asks: deploy/nginx.conf then names the workers that it tried.
ANSWER_HEADERS = {"Cache-Control": "no-store", "X-Doctor": "yes"}
#: What pages and programs send, and the site needs. The command sends these and compares.
SENT_HEADERS = (
    "Accept-Language",
    "Authorization",
    "Cookie",
    "HX-Request",
    "Last-Event-ID",
    "Origin",
    "Sec-Fetch-Site",
    "X-CSRFToken",
)
EVENTS = 15
INTERVAL_SECONDS = 0.2
#: The silent stream lasts this much longer than the longest silence of an answer.
BEYOND_HEARTBEAT_SECONDS = 2.0
#: After this, and its silence, a stream that was never read counts as ended.
LONGEST_SECONDS = 10.0
DONE = "[DONE]"
VALUE = "stream check"

_busy: Deadlines[str] = Deadlines()  # by kind of stream


def make_token() -> str:
    """Return a token that opens the checks for `TOKEN_SECONDS`."""
    return _signer().sign(VALUE)


def silence_seconds() -> float:
    """Return for how long the silent stream sends nothing."""
    return float(settings.HEARTBEAT_SECONDS) + BEYOND_HEARTBEAT_SECONDS


@csrf_exempt  # a token authenticates
@require_http_methods(["GET", "POST"])
async def show(request: HttpRequest) -> HttpResponseBase:
    """Answer a check. Raise `NotFound` without a valid token, `Overloaded` during another stream.

    The query names it: `check=arrival` tells how the request arrived, `check=silence` is the silent
    stream. A POST tells besides how much of its body arrived.
    """
    if not _may_ask(request):
        raise NotFound
    arrival = _arrival(request)
    check = request.GET.get("check", "pace")
    if request.method == "POST":
        return JsonResponse(arrival | {"body_bytes": _count(request)}, headers=ANSWER_HEADERS)
    if check == "arrival":
        return JsonResponse(arrival, headers=ANSWER_HEADERS)
    if check == "silence":
        return _stream("silence", [arrival], silence_seconds())
    return _stream("pace", [arrival, *[{} for _ in range(1, EVENTS)]], INTERVAL_SECONDS)


def _stream(
    kind: str, events: list[dict[str, Any]], interval_seconds: float
) -> StreamingHttpResponse:
    if _busy.seconds_left(kind):
        raise Overloaded(retry_after_seconds=LONGEST_SECONDS)
    _busy.start(kind, len(events) * interval_seconds + LONGEST_SECONDS)
    # Like the stream of an answer: chat/generations/delivery/responses.py
    headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(
        _events(kind, events, interval_seconds),
        content_type="text/event-stream",
        headers=ANSWER_HEADERS | headers,
    )


async def _events(
    kind: str, events: list[dict[str, Any]], interval_seconds: float
) -> AsyncGenerator[bytes]:
    """Yield events with the seconds since the first; the first also says how the request came."""
    began = time.monotonic()
    try:
        for number, facts in enumerate(events):
            told = {"number": number, "sent": time.monotonic() - began} | facts
            yield _event(msgspec.json.encode(told).decode())
            await asyncio.sleep(interval_seconds)
        yield _event(DONE)
    finally:
        _busy.pop(kind, None)


def _event(text: str) -> bytes:
    return f"data: {text}\n\n".encode()


def _arrival(request: HttpRequest) -> dict[str, Any]:
    """Return how the request arrived, and which process answers."""
    received = {name: request.headers.get(name, "") for name in SENT_HEADERS}
    received["Authorization"] = "yes" if received["Authorization"] else ""
    return {
        "client": client_address(request),
        "peer": str(request.META.get("REMOTE_ADDR") or ""),
        "peer_port": str(request.META.get("REMOTE_PORT", "")),
        "forwarded_for": request.headers.get("X-Forwarded-For", ""),
        "forwarded_proto": request.headers.get("X-Forwarded-Proto", ""),
        "is_secure": request.is_secure(),
        "host": named_host(request),
        "headers": received,
        "process": f"{socket.gethostname()}/{os.getpid()}",
    }


def _count(request: HttpRequest) -> int:
    count = 0
    while piece := request.read(64 * 1024):
        count += len(piece)
    return count


def _may_ask(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    tokens = [token] if scheme == "Bearer" else []
    return any(_is_valid(each) for each in (*tokens, request.headers.get(SECOND_HEADER, "")))


def _is_valid(token: str) -> bool:
    try:
        return _signer().unsign(token, max_age=TOKEN_SECONDS) == VALUE
    except BadSignature:
        return False


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="chat.web.ops.stream_check")
