"""Requests to a cheap model beside the answers: titles, suggested questions, summaries and drafts.

Each is reserved and charged like a temporary answer of the same person, but is no message of
theirs, of which there may be a limit.
"""

import itertools
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager

from chat.accounts.principals import Principal
from chat.conversations.prompt import PromptMessage
from chat.errors import ChatError
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.responses import collect
from chat.generations.process import server_process
from chat.generations.send.start import start_temporary
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.lib import trace
from chat.lib.background_tasks import BackgroundTasks
from chat.lib.limits import FairQueues
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest

log = logging.getLogger(__name__)

#: How long a request lets questions that wait to be stored go first.
MOST_QUIET_SECONDS = 30.0

_queues = FairQueues()


class SideRequests:
    """Tasks of one kind in the background, of which few make requests at the same time."""

    def __init__(self, kind: str, at_once: int) -> None:
        self._kind, self._at_once = kind, at_once
        self._tasks = BackgroundTasks()
        self._numbers = itertools.count()
        self.until_done = self._tasks.until_done

    def start(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.start(work, trace.fresh_context())

    def start_optional(self, write: Callable[[], Awaitable[None]], without_it: str) -> None:
        """Write something at its turn. If that fails, `without_it` is logged, and nothing else."""
        self.start(self._write(write, without_it))

    async def _write(self, write: Callable[[], Awaitable[None]], without_it: str) -> None:
        try:
            async with self.turn():
                await write()
        except (ChatError, *DATABASE_ERRORS) as error:
            log.info("%s: %s", without_it, type(error).__name__)

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for a turn, and until no question waits to be stored."""
        async with _queues.turn(f"{self._kind} {next(self._numbers) % self._at_once}"):
            await server_process.current().until_quiet(MOST_QUIET_SECONDS)
            yield


async def ask(
    principal: Principal, model_id: str, messages: list[PromptMessage], max_tokens: int
) -> str:
    """Return what the model writes. Raise `ChatError` if a limit is reached."""
    model = available_models.find(model_id)
    request = CompletionRequest(
        messages=messages,
        model=model.id,
        max_tokens=max_tokens,
        metadata={"principal": principal.key},
    )
    live = await start_temporary(
        principal, request, model, None, is_resumable=False, is_message=False
    )
    written = WholeAnswer()
    await collect(live, principal, written)
    return written.text
