"""A model's side that costs little: Workers AI's stream and OpenAI's, each token with a stamp.

As a program it prints its port and serves until its standard input ends. `GET /ctl?rate=50&
tokens=200&delay_ms=0` says how the answers that begin from now on are: tokens a second (0: as fast
as they are taken), how many, and how long until the first. `GET /stats` counts. A request for the
title of a chat, which nobody waits for, has its few tokens at once. Each text has the same vector.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import cast
from urllib.parse import parse_qsl, urlsplit

import httptools
import uvloop

from benchmarks.streams.marks import mark
from benchmarks.streams.metronome import Metronome

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
PROMPT_TOKENS = 5
#: So many tokens of an answer without a pace, then others have their turn.
AT_ONCE = 64
WHOLE = {"result": {"response": "A title"}, "success": True, "errors": [], "messages": []}
#: For searches, which are measured beside answers.
EMBEDDING = {"embedding": [((at * 37) % 101 - 50) / 500 for at in range(1024)]}
OPENAI = {"object": "chat.completion.chunk", "id": "c", "created": 1_760_000_000, "model": "m"}


@dataclass(slots=True)
class Pace:
    rate: float = 50.0
    tokens: int = 200
    delay_ms: int = 0


TITLE_PACE = Pace(rate=0, tokens=4)
#: What tells the request for a title from those for answers, which have no instructions here.
TITLE_REQUEST = b'"role":"system"'


@dataclass(slots=True)
class Counts:
    streams: int = 0
    active: int = 0
    tokens: int = 0
    aborted: int = 0
    connections: int = 0


class Source:
    """What all connections share."""

    def __init__(self) -> None:
        self.pace = Pace()
        self.counts = Counts()
        self._metronomes: dict[float, Metronome] = {}

    def metronome(self, rate: float) -> Metronome:
        if rate not in self._metronomes:
            self._metronomes[rate] = Metronome(asyncio.get_running_loop(), rate)
        return self._metronomes[rate]

    def control(self, query: str) -> Pace:
        asked = dict(parse_qsl(query))
        self.pace = Pace(
            float(asked.get("rate", self.pace.rate)),
            int(asked.get("tokens", self.pace.tokens)),
            int(asked.get("delay_ms", self.pace.delay_ms)),
        )
        return self.pace


def workers_ai_event(number: int) -> bytes:
    return f'data: {{"response":"{mark(number)}","p":"abcdef"}}\n\n'.encode()


def openai_event(number: int) -> bytes:
    choice = {"index": 0, "delta": {"role": "assistant", "content": mark(number)}}
    return _event(OPENAI | {"choices": [choice | {"finish_reason": None}]})


def workers_ai_end(tokens: int) -> bytes:
    return _event({"response": "", "usage": _usage(tokens)}) + b"data: [DONE]\n\n"


def openai_end(tokens: int) -> bytes:
    choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
    end = OPENAI | {"choices": [choice], "usage": _usage(tokens)}
    return _event(end) + b"data: [DONE]\n\n"


def _usage(tokens: int) -> dict[str, int]:
    total = PROMPT_TOKENS + tokens
    return {
        "prompt_tokens": PROMPT_TOKENS,
        "completion_tokens": tokens,
        "total_tokens": total,
    }


def _event(value: object) -> bytes:
    return b"data: %b\n\n" % json.dumps(value, separators=(",", ":")).encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


class Answer:
    """One stream; the metronome, or the socket, asks it for its next token."""

    def __init__(self, connection: "Connection", pace: Pace, is_openai: bool) -> None:
        self._connection, self._tokens = connection, pace.tokens
        self.is_paced = bool(pace.rate)
        self._next = 0
        self._event: Callable[[int], bytes] = openai_event if is_openai else workers_ai_event
        self._end = openai_end if is_openai else workers_ai_end

    def step(self) -> bool:
        """Send one token; whether more are to come."""
        connection = self._connection
        if connection.is_lost:
            return False
        if self._next < self._tokens:
            connection.send(chunk(self._event(self._next)))
            self._next += 1
            connection.source.counts.tokens += 1
        if self._next < self._tokens:
            return True
        connection.send(chunk(self._end(self._tokens)) + b"0\r\n\r\n")
        connection.answered()
        return False


class Connection(asyncio.Protocol):
    def __init__(self, source: Source) -> None:
        self.source = source
        self.is_lost = False
        self._answer: Answer | None = None
        self._may_write = True
        self._parser = httptools.HttpRequestParser(self)
        self._url, self._body = b"", b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's says of itself less
        self._descriptor = transport.get_extra_info("socket").fileno()
        self.source.counts.connections += 1

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = True
        if self._answer:
            self._answer = None
            self.source.counts.active -= 1
            self.source.counts.aborted += 1

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def pause_writing(self) -> None:
        self._may_write = False

    def resume_writing(self) -> None:
        self._may_write = True
        if self._answer and not self._answer.is_paced:
            self._burst(self._answer)

    # What httptools calls.

    def on_message_begin(self) -> None:
        self._url, self._body = b"", b""

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        address = urlsplit(self._url.decode())
        if address.path == "/ctl":
            self._say(asdict(self.source.control(address.query)))
        elif address.path == "/stats":
            self._say(asdict(self.source.counts))
        elif address.path.endswith("/embeddings"):
            self._say({"data": [EMBEDDING] * len(json.loads(self._body)["input"])})
        elif json.loads(self._body or b"{}").get("stream"):
            is_title = TITLE_REQUEST in self._body.replace(b": ", b":")
            pace = TITLE_PACE if is_title else self.source.pace
            self._begin(pace, address.path.endswith("/chat/completions"))
        else:
            self._say(WHOLE)

    def send(self, data: bytes) -> None:
        """At once: a transport would wait for the end of the loop's round."""
        if self._transport.get_write_buffer_size() == 0:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                pass
            except OSError:
                self._transport.abort()
                self.is_lost = True
                return
        if data:
            self._transport.write(data)

    def answered(self) -> None:
        self._answer = None
        self.source.counts.active -= 1

    def _say(self, value: object) -> None:
        body = json.dumps(value).encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        self._transport.write(head % len(body) + body)

    def _begin(self, pace: Pace, is_openai: bool) -> None:
        self._answer = answer = Answer(self, pace, is_openai)
        self.source.counts.streams += 1
        self.source.counts.active += 1
        loop = asyncio.get_running_loop()
        loop.call_later(pace.delay_ms / 1000, self._run, answer, pace)

    def _run(self, answer: Answer, pace: Pace) -> None:
        if self.is_lost:
            return
        self.send(HEAD)
        if pace.rate:
            if answer.step():
                self.source.metronome(pace.rate).add(answer.step)
        else:
            self._burst(answer)

    def _burst(self, answer: Answer) -> None:
        """As fast as the reader takes it, and others have their turn."""
        for _ in range(AT_ONCE):
            if not self._may_write or self._answer is not answer or not answer.step():
                return
        asyncio.get_running_loop().call_soon(self._burst, answer)


async def main() -> None:
    source = Source()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(source), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
