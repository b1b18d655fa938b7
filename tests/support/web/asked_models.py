"""Read what a model was asked, from the requests that an upstream received."""

import json
from typing import Any

from tests.support.upstream.raw_upstream import RawUpstream, stream_of

AYE = stream_of(b'data: {"response":"Aye"}\n\n', b"data: [DONE]\n\n")


def body(raw: RawUpstream, place: int = -1) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(raw.requests[place].partition(b"\r\n\r\n")[2])
    return value


def said(raw: RawUpstream, place: int = -1) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in body(raw, place)["messages"]]
