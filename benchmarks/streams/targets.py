"""Whom the load asks: an address, the requests that it takes, and the processes that answer."""

import itertools
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: Where a request has another word each time: a send with a key that was used finds the old answer.
UNIQUE = b"0" * 32


@dataclass(frozen=True, slots=True)
class Target:
    name: str
    port: int
    path: str
    body: bytes
    pid: int
    #: Headers of the people who ask, one after another.
    people: Iterator[Mapping[str, str]] = field(default_factory=lambda: itertools.repeat({}))
    #: Where there is a database server, what it uses counts as well.
    database_pid: int = 0

    @property
    def cpu_pids(self) -> list[int]:
        return [self.pid, *filter(None, [self.database_pid])]

    def request(self) -> bytes:
        lines = [
            f"POST {self.path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Content-Type: application/json",
            "Accept: text/event-stream",
            f"Content-Length: {len(self.body)}",
            *(f"{name}: {value}" for name, value in next(self.people).items()),
        ]
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        return head + self.body.replace(UNIQUE, uuid.uuid4().hex.encode())
