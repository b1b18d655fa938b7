"""Connect an httpx client to an emulator in its own process: the same bytes, but no port."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import httpx

from chat.emulator.common.faults import StreamReset
from chat.emulator.service import Emulator


class EmulatorTransport(httpx.AsyncBaseTransport):
    """Pass requests to an emulator. Answers stream without being buffered."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._emulator.handle(
            request.method,
            request.url.raw_path.decode("ascii"),
            {name.lower(): value for name, value in request.headers.items()},
            await request.aread(),
        )
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=_Body(answer.body),
            extensions={"http_version": b"HTTP/1.1"},
        )


class _Body(httpx.AsyncByteStream):
    """A response body as httpx reads it. A task other than the reading one may close it."""

    def __init__(self, body: AsyncGenerator[bytes, None]) -> None:
        self._body = body
        self._waiting: asyncio.Task[object] | None = None
        self._is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while part := await self._next_part():
            yield part

    async def _next_part(self) -> bytes | None:
        self._waiting = asyncio.current_task()
        try:
            return await anext(self._body, None)
        except StreamReset:
            raise httpx.ReadError("connection reset by the emulator") from None
        except asyncio.CancelledError:
            if not self._is_closed or self._waiting is None:
                raise
            self._waiting.uncancel()
            raise httpx.ReadError("closed while reading") from None
        finally:
            self._waiting = None

    async def aclose(self) -> None:
        self._is_closed = True
        if self._waiting and self._waiting is not asyncio.current_task():
            # An async generator cannot be closed while another task waits in it.
            self._waiting.cancel()
        else:
            await self._body.aclose()
