"""A fake provider in its own process: it streams like Workers AI and fails on request.

Run as a program it prints its port. `POST /client/v4/accounts/{A}/ai/run/{model}` answers as the
directive in the newest message says, and everything is written down: each byte with the time at
which the socket had it, and when the site ended the connection. `/chaos/…` hands that out.
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic

import msgspec
import psycopg

from tests.chaos.calls import Call
from tests.chaos.database import has_question
from tests.chaos.directive import Directive, directive_in
from tests.chaos.script import Reset, Step, UpstreamPause, plan, refusal

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
MAX_SECONDS = 600.0


class Recorder:
    """The recorded calls, and the database in which to check whether a question was stored."""

    def __init__(self) -> None:
        self.calls: dict[str, list[Call]] = defaultdict(list)
        self.database = ""
        self.idle: set[asyncio.StreamWriter] = set()

    def begin(self, directive: Directive) -> Call:
        known = self.calls[directive.mark]
        call = Call(directive.mark, len(known) + 1, monotonic())
        if self.database and directive.witness:
            with suppress(psycopg.OperationalError):  # the database has just gone
                call.witnessed = has_question(self.database, directive.mark)
        known.append(call)
        return call

    def of_run(self, run: str) -> list[Call]:
        """Return the calls whose mark starts with `run`."""
        return [c for mark, calls in self.calls.items() if mark.startswith(run) for c in calls]

    def forget(self, run: str) -> None:
        for mark in [mark for mark in self.calls if mark.startswith(run)]:
            del self.calls[mark]

    def hang_up(self) -> None:
        """Close idle connections. Only on request, because a request could be on its way."""
        for writer in self.idle:
            writer.close()


class Connection:
    """A connection from the site, with one request after another."""

    def __init__(
        self, recorder: Recorder, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.recorder, self.reader, self.writer = recorder, reader, writer
        # `drain` then waits until the socket has everything, so the recorded times are correct.
        writer.transport.set_write_buffer_limits(high=0)

    async def serve(self) -> None:
        try:
            while request := await self._request():
                if not await self._answer(*request):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.writer.close()

    async def _request(self) -> tuple[str, bytes]:
        self.recorder.idle.add(self.writer)
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        finally:
            self.recorder.idle.discard(self.writer)
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return head.split(b" ", 2)[1].decode(), await self.reader.readexactly(length)

    async def _answer(self, path: str, body: bytes) -> bool:
        """Answer one request; return whether the connection stays open."""
        if path.startswith("/chaos/"):
            return await self._control(path, body)
        if "/ai/run/" not in path:
            return await self._plain(404, b"no such address", "text/plain")
        messages = msgspec.json.decode(body)["messages"]
        directive = directive_in([m["content"] for m in messages if m["role"] == "user"])
        if directive is None:
            return await self._plain(400, b"no directive in the messages", "text/plain")
        return await self._obey(directive, self.recorder.begin(directive))

    async def _obey(self, directive: Directive, call: Call) -> bool:
        if directive.fault == "silence":
            return await self._stream(call, [UpstreamPause(MAX_SECONDS)])
        if answer := refusal(directive, call.number):
            call.status = answer.status
            return await self._plain(answer.status, answer.body, answer.content_type)
        call.status = 200
        self.writer.write(HEAD)
        return await self._stream(call, plan(directive, call.number))

    async def _stream(self, call: Call, steps: Iterable[Step]) -> bool:
        """Write the steps until the site disconnects."""
        watch = asyncio.create_task(self._note_the_end(call))
        try:
            for step in steps:
                if call.closed_at:
                    return False
                if isinstance(step, Reset):
                    self.writer.transport.abort()
                    return False
                await self._take(call, step, watch)
            if call.closed_at:
                return False
            self.writer.write(b"0\r\n\r\n")
            call.ended_at = monotonic()
            await self.writer.drain()
        except ConnectionError:
            call.closed_at = call.closed_at or monotonic()
            return False
        finally:
            watch.cancel()
            await asyncio.wait([watch])  # only one may read from a socket
        return True

    async def _take(
        self, call: Call, step: bytes | UpstreamPause, watch: asyncio.Task[None]
    ) -> None:
        if isinstance(step, UpstreamPause):
            seconds = step.seconds if not step.until else step.until + call.began_at - monotonic()
            if seconds > 0.2:
                await asyncio.wait([watch], timeout=seconds)  # a disconnect is noticed at once
            else:
                await asyncio.sleep(max(0.0, seconds))
            return
        self.writer.write(b"%x\r\n%b\r\n" % (len(step), step))
        await self.writer.drain()
        call.writes.append((monotonic(), step))

    async def _note_the_end(self, call: Call) -> None:
        """Record when the site disconnects; it sends nothing else during an answer."""
        with suppress(ConnectionError):
            await self.reader.read(1)
        call.closed_at = monotonic()

    async def _control(self, path: str, body: bytes) -> bool:
        name, _, argument = path.removeprefix("/chaos/").partition("/")
        answer = b""
        if name == "calls":
            answer = msgspec.msgpack.encode(self.recorder.of_run(argument))
        elif name == "forget":
            self.recorder.forget(argument)
        elif name == "hang-up":
            self.recorder.hang_up()
        elif name == "database":
            self.recorder.database = body.decode()
        return await self._plain(200, answer, "application/octet-stream")

    async def _plain(self, status: int, body: bytes, content_type: str) -> bool:
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}"
        self.writer.write(head.encode() + b"\r\n\r\n" + body)
        await self.writer.drain()
        return True


async def main() -> None:
    """Serve until standard input ends, which it does when the parent process ends."""
    recorder = Recorder()
    server = await asyncio.start_server(
        lambda reader, writer: Connection(recorder, reader, writer).serve(),
        "127.0.0.1",
        0,
        backlog=4096,
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
