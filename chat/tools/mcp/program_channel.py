"""Send messages to an MCP server that is a program of this machine, by its input and output.

Only those programs are started that the environment names (`TOOL_PROGRAMS`): no page can have
another one started. Each session has a process of its own, so that nothing of one member's call is
left for the next one's, and nothing goes on after it.
"""

import asyncio
import os
import signal
import sys
import threading
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import cast

from django.conf import settings

from chat.tools.mcp.budget import MAX_MESSAGE_BYTES, Budget
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.models import PROGRAM
from chat.tools.mcp.protocol import Message

LAUNCHER = "chat.tools.mcp.program_launcher"
#: At once, in each process of the site. Others wait.
MAX_PROGRAMS = 4
WAIT_SECONDS = 0.05
ENDING_SECONDS = 2.0
CHUNK_BYTES = 64 * 1024
#: All that a program gets of the site's environment: it may have neither keys nor tokens of it.
ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")

#: Sessions belong to several event loops, so it is one of threads.
_places = threading.BoundedSemaphore(MAX_PROGRAMS)


def command_of(address: str) -> list[str] | None:
    """Return the command of a server that is a program; None if the environment has none such."""
    programs: Mapping[str, list[str]] = settings.TOOL_PROGRAMS
    return programs.get(address.removeprefix(PROGRAM))


@asynccontextmanager
async def program_channel(address: str) -> AsyncIterator["ProgramChannel"]:
    """Start a program, and end it with all processes of its group. Raise `McpError`."""
    command = command_of(address)
    if command is None:
        raise McpError("no_program")
    async with _place():
        process = await _start(command)
        try:
            yield ProgramChannel(process)
        finally:
            await _end(process)


class ProgramChannel:
    """The input and output of a program, with one message in each line."""

    def __init__(self, process: Process) -> None:
        self._input = cast(StreamWriter, process.stdin)
        self._output = cast(StreamReader, process.stdout)
        self._budget = Budget()
        self._unread = bytearray()
        self._has_answered = False

    async def ask(self, body: bytes, headers: Mapping[str, str]) -> AsyncGenerator[Message]:
        await self.tell(body)
        while (line := await self._line()) is not None:
            message = self._budget.read(line)
            self._has_answered = True
            yield message
        if not self._has_answered:
            raise McpError("unreachable")  # it doesn't start, or isn't such a program

    async def tell(self, body: bytes) -> None:
        with suppress(ConnectionError):  # it has ended, which reading tells
            self._input.write(body + b"\n")
            await self._input.drain()

    def agree_on(self, version: str) -> None:
        """There is nothing to say: messages have no headers."""

    async def close(self) -> None:
        """The program ends by itself, or is ended."""
        with suppress(ConnectionError):
            self._input.close()

    async def _line(self) -> bytes | None:
        """Return the next line; None at the end."""
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0:
            searched = len(self._unread)
            if searched > MAX_MESSAGE_BYTES:
                raise McpError("too_long")
            chunk = self._budget.take(await self._output.read(CHUNK_BYTES))
            if not chunk:
                return None
            self._unread += chunk
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line


@asynccontextmanager
async def _place() -> AsyncIterator[None]:
    while not _places.acquire(blocking=False):  # noqa: ASYNC110  (shared by several event loops)
        await asyncio.sleep(WAIT_SECONDS)
    try:
        yield
    finally:
        _places.release()


async def _start(command: list[str]) -> Process:
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", LAUNCHER, str(os.getpid()), *command),
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise McpError("unreachable") from error


async def _end(process: Process) -> None:
    """End a program and what it has started, and read the rest of what it has written."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(ENDING_SECONDS):
            while await cast(StreamReader, process.stdout).read(CHUNK_BYTES):
                pass
            await process.wait()
