"""Helpers for the tests of parameters."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.upstream.raw_upstream import RawUpstream
from tests.support.web.front_end import body_of

STATELESS = ["member", "chat", "chat/text", "chat/ui", "v1/chat/completions"]
Post = Callable[..., Awaitable[Any]]


def asked(raw: RawUpstream) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])
    return sent


async def drained(response: Any) -> str:
    assert response.status_code == 200, response.content
    return (await body_of(response) if response.streaming else response.content).decode()
