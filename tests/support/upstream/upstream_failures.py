"""Helpers for the tests of upstream failures."""

import asyncio

from tests.support.upstream.raw_upstream import Handler


def envelope(code: int, message: str = "words") -> bytes:
    return b'{"errors":[{"message":"%b","code":%d}],"success":false}' % (message.encode(), code)


def writes(*parts: bytes, then_close: bool = False, every: float = 0.0) -> Handler:
    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(every)
        if then_close:
            writer.transport.abort()
        else:
            await asyncio.sleep(30)

    return handler
