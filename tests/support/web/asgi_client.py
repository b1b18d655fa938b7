"""Call an ASGI application directly, without a server."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

PIECE = 1000


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["error"]
        return found


def scope_of(*headers: tuple[bytes, bytes], path: str = "/", query: bytes = b"") -> dict[str, Any]:
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": list(headers),
    }


@dataclass
class Client:
    """Send `pieces`, each after `pause_seconds`; without `ends`, the body never ends."""

    pieces: Iterable[bytes] = (b"",)
    pause_seconds: float = 0.0
    ends: bool = True
    answer: Answer = field(default_factory=Answer)

    def __post_init__(self) -> None:
        self._left = list(self.pieces)

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(self.pause_seconds)
        if not self._left:
            await asyncio.Event().wait()
        body = self._left.pop(0)
        return {
            "type": "http.request",
            "body": body,
            "more_body": bool(self._left) or not self.ends,
        }

    async def send(self, event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            self.answer.status = event["status"]
            self.answer.headers = {k.decode(): v.decode() for k, v in event["headers"]}
        else:
            self.answer.body += event.get("body", b"")

    async def ask(self, app: Any, scope: dict[str, Any] | None = None) -> Answer:
        await app(scope or scope_of(), self.receive, self.send)
        return self.answer


async def reads_all(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body, as an ASGI application."""
    length, more = 0, True
    while more:
        event = await receive()
        length, more = length + len(event["body"]), event["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})
