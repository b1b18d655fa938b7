"""Fake a website with raw bytes, over http or https, on a local port."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

HTML = ("Content-Type: text/html; charset=utf-8",)


@dataclass
class Website:
    """Raw responses by path; `requests` records the requests."""

    port: int = 0
    answers: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    endless: bytes = b""  # repeated after the response
    pause_seconds: float = 0.0  # between the repetitions
    is_silent: bool = False

    def show(self, path: str, body: str = "", *headers: str, status: str = "200 OK") -> None:
        content = body.encode()
        head = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *(headers or HTML)]
        self.answers[path] = "\r\n".join([*head, "Connection: close", "", ""]).encode() + content

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"(?im)^content-length: (\d+)", request)
            self.bodies.append(await reader.readexactly(int(length[1]) if length else 0))
            self.requests.append(request)
            if self.is_silent:
                await asyncio.sleep(60)
            writer.write(self.answers.get(request.split()[1], b"nonsense\r\n\r\n"))
            while self.endless:
                writer.write(self.endless)
                await writer.drain()
                await asyncio.sleep(self.pause_seconds)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def website(trust: ssl.SSLContext | None = None) -> AsyncIterator[Website]:
    site = Website()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        await site.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=trust)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
