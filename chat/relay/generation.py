"""A generation: one answer being written, owned by the server and not by any request.

It runs as a detached task and writes a log; every response is only a reader of that log. A reader
who leaves is not a stop: the answer goes on, and is stopped when nobody has looked for a while.
"""

import asyncio
import contextvars
import logging
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal

from chat.errors import ChatError, UpstreamCut
from chat.lib.sse import frame
from chat.relay import frames
from chat.relay.events import Event, Finished, Opened, Text
from chat.relay.log import Log

log = logging.getLogger(__name__)

State = Literal["running", "complete", "stopped", "interrupted", "failed"]


class Generation:
    """One answer. `owner` is the principal's key; nobody else may read or stop it."""

    def __init__(self, owner: str, max_answer_chars: int) -> None:
        self.id = uuid.uuid4().hex
        self.owner = owner
        self.log = Log()
        self.state: State = "running"
        self.error: ChatError | None = None
        self.length = 0  # code points of text
        self.viewers = 0
        self.last_seen = 0.0  # loop time at which a reader last left
        self._max_answer_chars = max_answer_chars
        self._opened: Opened | None = None
        self._finished: Finished | None = None
        self._stopping = False
        self._task: asyncio.Task[None] | None = None

    def start(self, events: AsyncGenerator[Event]) -> asyncio.Task[None]:
        """Runs `events` to their end, in a context of its own: the request's would leak threads."""
        self._task = asyncio.create_task(self._run(events), context=contextvars.Context())
        self._task.add_done_callback(self._close)
        return self._task

    def stop(self) -> None:
        """Ends the answer now; what was said stays. Does nothing to one that has ended."""
        if self.state == "running" and self._task:
            self._stopping = True
            self._task.cancel()

    async def _run(self, events: AsyncGenerator[Event]) -> None:
        try:
            async with aclosing(events):
                async for event in events:
                    self._take(event)
            self._end(self._natural_state())
        except ChatError as error:
            self._fail(error)
        except Exception:
            log.exception("generation %s broke", self.id)
            self._fail(ChatError())

    def _close(self, task: asyncio.Task[None]) -> None:
        """The last word, also for a task that was cancelled before its first step."""
        if self.state == "running":
            self._end("stopped")

    def _take(self, event: Event) -> None:
        match event:
            case Finished():
                self._finished = event
            case Opened():
                self._opened = event
            case Text(text):
                self.length += len(text)
        for payload in frames.payloads(event):
            self.log.append(frames.encode(payload, len(self.log) + 1))
        if self.length > self._max_answer_chars:
            raise UpstreamCut(
                "The answer grew longer than this site keeps. What it had said is kept.",
                detail="answer too long",
            )

    def _natural_state(self) -> State:
        complete = self._finished is not None and self._finished.complete
        return "complete" if complete else "interrupted"

    def _fail(self, error: ChatError) -> None:
        if self._stopping:  # closing the connection looks like an error from the inside
            self._end("stopped")
            return
        self.error = error
        log.warning("generation %s: %s", self.id, error)
        self._end("interrupted" if self.length else "failed")

    def _end(self, state: State) -> None:
        self.state = state
        payloads = frames.terminal(state, self.length, self._finished, self.error, self._opened)
        last = [frames.encode(p, len(self.log) + n) for n, p in enumerate(payloads, start=1)]
        last.append(frame(frames.DONE, len(self.log) + len(last) + 1))
        self.log.close(last)
