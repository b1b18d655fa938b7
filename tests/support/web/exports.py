"""Helpers for the tests of exports."""

from typing import Any


async def body(response: Any) -> bytes:
    assert response.status_code == 200
    return b"".join([part async for part in response.streaming_content])
