"""Fake a model provider without sockets: each answer is a list of byte chunks, sent at once."""

from collections.abc import AsyncIterator, Iterable

import httpx

from chat.upstream.client import Timeouts, Upstream
from chat.upstream.request import ProviderEndpoint
from tests.support.upstream.upstream_requests import TIMEOUTS

DONE = b"data: [DONE]\n\n"


class _Chunks(httpx.AsyncByteStream):
    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


class CannedTransport(httpx.AsyncBaseTransport):
    """Give the same answer to each request; `requests` records them."""

    def __init__(self, *chunks: bytes, content_type: str = "text/event-stream") -> None:
        self._chunks, self._content_type = chunks, content_type
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        headers = {"content-type": self._content_type}
        return httpx.Response(200, headers=headers, stream=_Chunks(self._chunks))


def canned(
    *chunks: bytes, content_type: str = "text/event-stream", timeouts: Timeouts = TIMEOUTS
) -> Upstream:
    """Return an upstream that answers with `chunks`."""
    transport = CannedTransport(*chunks, content_type=content_type)
    return Upstream(ProviderEndpoint("http://canned.test", "a"), transport, timeouts)


def event(data: bytes) -> bytes:
    return b"data: %b\n\n" % data
