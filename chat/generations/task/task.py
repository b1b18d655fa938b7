"""Generate one answer in a detached task that belongs to the server, not to a request.

The task writes a log, and every response only reads it. A reader that disconnects does not stop it.
The answer is either stored by the log writer as it comes or, for a temporary chat, kept in memory
only.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from chat.conversations.prompt import estimate_tokens
from chat.errors import AnswerTooLong, ChatError, ErrorReader, UpstreamDisconnected
from chat.generations.billing.pricing import cost_usd
from chat.generations.log import frames
from chat.generations.log.memory_log import Log
from chat.generations.result import LastRequest, Result, State, Timing
from chat.generations.task.errors import for_empty_answer
from chat.lib import metrics, trace
from chat.lib.text_buffer import TextBuffer
from chat.upstream import available_models
from chat.upstream.events import (
    AnswerOpened,
    Event,
    Finished,
    Reasoning,
    Text,
    Usage,
)

log = logging.getLogger(__name__)

P = TypeVar("P", Text, Reasoning)
ResultHandler = Callable[["GenerationTask", Result], Awaitable[Result]]


class GenerationTask:
    """One answer being generated. `owner` is the principal's key; only they may read or stop it.

    Given a `generation_id`, the generation is stored in the database. `base_length` counts the code
    points of the text that this answer continues.
    """

    def __init__(
        self,
        owner: str,
        max_answer_chars: int,
        generation_id: uuid.UUID | None = None,
        base_length: int = 0,
    ) -> None:
        self.id = generation_id or uuid.uuid4()
        self.is_stored = generation_id is not None
        self.owner = owner
        self.log = Log()
        self.state: State = "running"
        self.error: ChatError | None = None
        self.base_length = base_length
        self.length = base_length  # code points of the complete text
        self.opened: AnswerOpened | None = None
        self.opened_at = 0.0  # loop time of the first event
        self.started_at = asyncio.get_running_loop().time()
        self._text, self._reasoning = TextBuffer(), TextBuffer()
        self.prompt_tokens = self.max_tokens = 0  # estimated, and granted, if known
        # Of an answer that may ask its model several times: what the last request costs.
        self.last_request_of: Callable[[], LastRequest] | None = None
        self.hides_model = False  # from all who read the answer
        self.reader = ErrorReader.MEMBER  # who is told of an error
        self.subscribers = 0
        self.was_read = False  # a reader has reached its end
        self.last_seen = self.started_at  # loop time at which the last reader left
        self._chars_left = max_answer_chars  # including reasoning
        self._finished: Finished | None = None
        self._stop_as: State | None = None
        self._begun = False
        self._ending = False  # from here on a stop would only interrupt the storing
        self._task: asyncio.Task[None] | None = None

    def start(
        self, events: AsyncGenerator[Event], keep: ResultHandler | None = None
    ) -> asyncio.Task[None]:
        """Run `events` to their end and return the task.

        The task gets a context of its own, because the request's would leak threads. `keep` stores
        the result before readers learn of it, and returns what was stored.
        """
        self._task = asyncio.create_task(self._run(events, keep), context=trace.fresh_context())
        return self._task

    def stop(self, state: State = "stopped", why: ChatError | None = None) -> None:
        """End the answer now, keeping its text. Do nothing if it is already ending.

        `why` becomes the error of the result.
        """
        if self._stop_as or self._ending:
            return
        self._stop_as = state
        self.error = why
        if self._begun and self._task:
            self._task.cancel()

    async def done(self) -> None:
        """Return when the result is stored."""
        if self._task:
            await asyncio.wait([self._task])

    def release(self) -> None:
        """Let go of what an answer that has ended doesn't need: its task, with three contexts."""
        self._task = self.last_request_of = None

    async def _run(self, events: AsyncGenerator[Event], keep: ResultHandler | None) -> None:
        self._begun = True
        trace.generation_id.set(str(self.id))
        state = await self._listen(events)
        self._ending = True
        result = Result.of(
            state, self.length, len(self.log), self._finished, self.opened, self.error, self.reader
        )
        result = replace(
            result,
            timing=self._timing(),
            cost_usd=self._cost_usd(),
            prompt_tokens=self.prompt_tokens,
            output_tokens=self._output_tokens(),
            last_request=self.last_request_of() if self.last_request_of else None,
            hides_model=self.hides_model,
        )
        if keep:
            result = await keep(self, result)
        self.state = result.state
        # Number them after what readers have seen, even if another process ended it earlier. After
        # a purge there are none, so that clients resume and learn that it is gone.
        last = replace(result, last_seq=len(self.log))
        self.log.close([] if result.is_purged else frames.terminal(last))
        _count(result)

    async def _listen(self, events: AsyncGenerator[Event]) -> State:
        """Consume all events; return the final state. A stop arrives as a cancellation."""
        try:
            async with aclosing(events):
                if self._stop_as:
                    return self._stop_as
                async for event in events:
                    self._add(event)
        except asyncio.CancelledError:
            return self._stop_as or "interrupted"
        except ChatError as error:
            return self._stop_as or self._failed(error)
        except Exception:
            log.exception("answer failed unexpectedly")
            return self._stop_as or self._failed(ChatError())
        if self._finished is not None and self._finished.complete:
            return "complete"
        if self.length:
            return "interrupted"
        return self._failed(UpstreamDisconnected(detail="ended before the first word"))

    @property
    def has_output(self) -> bool:
        """Return whether the model has written text or reasoning, which costs money."""
        return bool(self.length or self._reasoning)

    @property
    def text(self) -> str:
        return str(self._text)

    @property
    def reasoning(self) -> str:
        return str(self._reasoning)

    @property
    def first_token_milliseconds(self) -> int | None:
        return int((self.opened_at - self.started_at) * 1000) if self.opened else None

    def _timing(self) -> Timing:
        took = asyncio.get_running_loop().time() - self.started_at
        return Timing(self.first_token_milliseconds, int(took * 1000))

    def _output_tokens(self) -> int:
        """Return an estimate of what the model has written, at most what it was granted."""
        calls = self._finished.tool_calls if self._finished else []
        written = "".join(call.name + call.arguments for call in calls)
        tokens = estimate_tokens(self.text + self.reasoning + written)
        return min(tokens, self.max_tokens or tokens)

    def _cost_usd(self) -> float | None:
        opened = self.opened
        model = available_models.priced(opened.model, opened.routed_to) if opened else None
        return cost_usd(model, self._finished.usage if self._finished else None)

    def _failed(self, error: ChatError) -> State:
        self.error = error if self.length else for_empty_answer(error)
        metrics.record_error(error.code, "answer")
        log.warning("answer failed: %s", error)
        return "interrupted" if self.length else "failed"

    def _add(self, event: Event) -> None:
        """Append `event` to the log.

        Raise `AnswerTooLong` after cutting off what exceeds the maximum.
        """
        if isinstance(event, Text):
            event = self._within_maximum(event)
            self.length += len(event.text)
            self._text.append(event.text)
        elif isinstance(event, Reasoning):
            event = self._within_maximum(event)
            self._reasoning.append(event.text)
        elif isinstance(event, Finished):
            self._finished = event
        elif isinstance(event, AnswerOpened):
            self.opened = event
            self.opened_at = asyncio.get_running_loop().time()
        if made := frames.frames_of(event, len(self.log) + 1, hides_model=self.hides_model):
            self.log.append(made)
        if self._chars_left < 0:
            raise AnswerTooLong(detail="answer too long")

    def _within_maximum(self, piece: P) -> P:
        left = self._chars_left
        self._chars_left -= len(piece.text)
        return piece if self._chars_left >= 0 else type(piece)(piece.text[: max(0, left)])


def _count(result: Result) -> None:
    """Record the figures of an answer in the log and the metrics, for the site's owner."""
    usage, timing = result.usage or Usage(), result.timing
    first = timing.first_token_milliseconds if timing else None
    metrics.record_answer(
        result.state,
        usage.prompt_tokens,
        usage.completion_tokens,
        None if first is None else first / 1000,
    )
    fields = {
        "state": result.state,
        "characters": result.length,
        "tokens": usage.total_tokens,
        "milliseconds": timing.milliseconds if timing else 0,
    }
    log.info("answer", extra={"fields": fields})
