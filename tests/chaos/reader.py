"""A client like the page: it sends, reads, and reconnects until it has the end.

It knows only the stream format. An end without `[DONE]` means: resume after the last id. Where it
cannot be sure that it shows everything, it takes the stored message.
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import aiohttp

CSRF = "c" * 32
BEFORE_HEADERS = -1  # a disconnect before the response starts
TROUBLE = (aiohttp.ClientError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in client of one process of the site."""

    http: aiohttp.ClientSession
    session: str
    address: Callable[[], str]  # called for every request, because another process may answer

    def request(self, method: str, path: str, **options: Any) -> Any:
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/json",
        } | options.pop("headers", {})
        return self.http.request(method, self.address() + path, headers=headers, **options)

    async def stop(self, generation_id: str) -> int:
        """Stop the answer, and return the response's status."""
        path = f"/generations/{generation_id}/cancellation"
        async with self.request("POST", path) as response:
            return int(response.status)


@dataclass
class Reader:
    """One send, or (with `generation_id` given) one that follows. `text` is what is on screen.

    `cuts` are the places of disconnects, one per connection: after so many events.
    """

    visitor: Visitor
    body: dict[str, Any] | None = None
    conversation: str = ""
    generation_id: str = ""
    message_id: str = ""
    base_text: str = ""  # the text already on screen, if an answer is continued
    cuts: Iterator[int] = field(default_factory=lambda: iter(()))
    patience_seconds: float = 30.0
    on_event: Callable[["Reader"], None] = lambda reader: None
    sips: int = 0  # how many of the first reads are small and followed by a pause
    sip_seconds: float = 0.0
    away: asyncio.Event | None = None  # after disconnecting, it reconnects when this is set

    last_id: int = 0
    done: bool = False
    finished: bool = False
    terminal: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    broken: int = 0  # connections that ended with a transport error
    ended_early: int = 0  # clean ends without [DONE]
    connections: int = 0
    fetched: bool = False
    complaints: list[str] = field(default_factory=list)
    finished_at: float = 0.0
    headers_after_seconds: float = 0.0
    pieces: list[str] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)  # of the pieces

    def __post_init__(self) -> None:
        self.pieces = [self.base_text] if self.base_text else []

    def again(self, **how: Any) -> "Reader":
        """Return another reader of the same person that follows the answer from its beginning."""
        return Reader(
            self.visitor,
            conversation=self.conversation,
            generation_id=self.generation_id,
            message_id=self.message_id,
            **how,
        )

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    async def run(self) -> "Reader":
        """Run until the end of the answer is known and its text is on screen."""
        give_up_at = monotonic() + self.patience_seconds
        wait_seconds = 0.05
        while not self.finished:
            if monotonic() > give_up_at:
                self.complaints.append(
                    f"no end after {self.patience_seconds:.0f} s, {self.connections} connections"
                )
                return self
            before = self.last_id
            if self.connections and self.away:
                await self.away.wait()
            try:
                async with asyncio.timeout_at(self._loop_time(give_up_at)):
                    await self._connect(next(self.cuts, None))
            except TROUBLE:
                self.broken += 1
            if not self.finished:
                wait_seconds = 0.05 if self.last_id > before else min(1.0, wait_seconds * 1.5)
                await asyncio.sleep(wait_seconds)
        self.finished_at = self.finished_at or monotonic()
        await self._settle()
        return self

    async def once(self, cut: int | None = None) -> "Reader":
        """Use one connection, without reconnecting."""
        try:
            await self._connect(cut)
        except TROUBLE:
            self.broken += 1
        return self

    def _loop_time(self, moment: float) -> float:
        return asyncio.get_running_loop().time() + moment - monotonic()

    async def _connect(self, cut: int | None) -> None:
        self.connections += 1
        if cut == BEFORE_HEADERS:
            await self._give_up_at_once()
            return
        began = monotonic()
        async with self._request() as response:
            self.headers_after_seconds = self.headers_after_seconds or monotonic() - began
            self.statuses.append(response.status)
            self._remember(response.headers)
            if response.status == 200 and response.content_type == "text/event-stream":
                await self._show(response, cut)
            else:
                await self._judge_status(response)

    async def _give_up_at_once(self) -> None:
        """Disconnect while the request is being sent, like a closed tab."""
        try:
            async with asyncio.timeout(0.004):
                async with self._request() as response:
                    response.close()
        except TimeoutError:
            pass

    @asynccontextmanager
    async def _request(self) -> AsyncIterator[aiohttp.ClientResponse]:
        if self.generation_id:
            headers = {"Last-Event-ID": str(self.last_id)} if self.last_id else {}
            path = f"/generations/{self.generation_id}/stream"
            request = self.visitor.request("GET", path, headers=headers)
        else:
            path = f"/chat/{self.conversation}/messages" if self.conversation else "/chat/messages"
            request = self.visitor.request("POST", path, json=self.body)
        async with request as response:
            yield response

    def _remember(self, headers: Any) -> None:
        self.conversation = headers.get("X-Conversation-Id", self.conversation)
        self.message_id = headers.get("X-Message-Id", self.message_id)
        self.generation_id = headers.get("X-Generation-Id", self.generation_id)

    async def _judge_status(self, response: aiohttp.ClientResponse) -> None:
        """Handle a response without a stream. Like the page, repeat what will work in a moment."""
        body = await response.read()
        if body:
            try:
                self.error = json.loads(body)["error"]
            except (ValueError, KeyError):
                self.complaints.append(f"status {response.status} without words: {body[:80]!r}")
        self.finished = self.error.get("code") not in {"shutting_down", "database_unavailable"}

    async def _show(self, response: aiohttp.ClientResponse, cut: int | None) -> None:
        count = 0
        held = b""
        if cut == 0:
            response.close()
            return
        while chunk := await self._chunk(response):
            *events, held = (held + chunk).split(b"\n\n")
            for event in events:
                if not self._take(event):
                    continue
                count += 1
                if count == cut and not self.finished:
                    response.close()
                    return
        self.ended_early += not self.finished

    async def _chunk(self, response: aiohttp.ClientResponse) -> bytes:
        if not self.sips:
            return await response.content.readany()
        self.sips -= 1
        await asyncio.sleep(self.sip_seconds)
        return await response.content.read(1000)

    def _take(self, event: bytes) -> bool:
        """Show one event; return False for comments and `retry`."""
        values = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
        if b"data" not in values:
            return False
        number = int(values[b"id"])
        if values[b"data"] == b"[DONE]":
            self.done = self.finished = True
            self.finished_at = monotonic()
        else:
            self._read(json.loads(values[b"data"]), number)
        self.last_id = number
        self.on_event(self)
        return True

    def _read(self, payload: dict[str, Any], number: int) -> None:
        if payload == {"response": ""} and number == self.last_id:
            return  # the opening of a slow stream (docs/design/stream_format.md)
        self.error = payload.get("error", self.error)
        if "state" in payload:
            self.terminal = payload
        elif "error" not in payload and number != self.last_id + 1:
            self.complaints.append(f"event {number} came after event {self.last_id}")
        if payload["response"]:
            self.pieces.append(payload["response"])
            self.arrivals.append(monotonic())

    async def _settle(self) -> None:
        """Load the stored message if the stream may be incomplete."""
        if self.terminal and self.terminal["length"] == len(self.text):
            return
        if self.generation_id and self.conversation and self.message_id:
            path = f"/chat/{self.conversation}/messages/{self.message_id}"
            async with self.visitor.request("GET", path) as response:
                message = await response.json()
            self.fetched, self.pieces = True, [message["text"]]
            self.terminal = {"state": message["state"]} | self.terminal


def new_send(text: str, **more: Any) -> dict[str, Any]:
    """Return the body of a send, with a new key."""
    return {"key": uuid.uuid4().hex, "text": text} | more
