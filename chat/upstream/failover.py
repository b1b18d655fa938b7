"""Produce one answer despite failures: retry, shorten the prompt, or use another model.

All this happens only before anything was relayed, and only if the provider has not done the work
already: it refused, or the request was never sent. After the first piece, an error ends the answer.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from chat.conversations.prompt import (
    ModelPrompt,
    estimate_prompt_tokens,
    fit_to_window,
    whole_prompt,
)
from chat.errors import (
    AllocationExhausted,
    BadImageData,
    ContextTooLong,
    CreditExhausted,
    ModelRemoved,
    NotConfigured,
    NotStreamed,
    OutOfCapacity,
    UpstreamBusy,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamReportedTimeout,
    UpstreamUnreachable,
)
from chat.lib.catalogue import Model
from chat.lib.limits import doubled
from chat.upstream import learned
from chat.upstream.client import Upstream
from chat.upstream.errors import ParameterRefused
from chat.upstream.events import AnswerOpened, Event, Finished
from chat.upstream.model_parameters import can_stream, for_model
from chat.upstream.request import CompletionRequest
from chat.upstream.stop_sequences import until_stop
from chat.upstream.text_calls import with_text_calls

BACKOFF_SECONDS = 0.5
MAX_WAIT_SECONDS = 10.0
#: A prompt that is sent as it is may be shorter than estimated, so leave the decision to the model.
MIN_ANSWER_TOKENS = 256
#: What another provider may do better.
PROVIDER_ERRORS = (
    AllocationExhausted,
    CreditExhausted,
    NotConfigured,
    UpstreamBusy,
    UpstreamUnreachable,
)
SHRINK = 0.6  # factor for the window after the provider counted more tokens than we did


@dataclass(slots=True)
class _Plan:
    """How the next attempt is made."""

    model: Model
    retries_left: int
    retries_made: int = 0
    shrink: float = 1.0
    stream: bool = True
    repaired: bool = False
    has_fallback: bool = False  # so it is better to be refused than to wait for capacity
    refused: set[str] = field(default_factory=set)  # names of parameters

    def question(self, request: CompletionRequest) -> tuple[CompletionRequest, int]:
        """Return the request to send now, and the number of messages it leaves out."""
        known = learned.about(self.model.id)
        window = known.window
        max_tokens = self.model.max_answer_tokens(request.max_tokens, window)
        window = self.model.prompt_window(max_tokens, window)
        if request.is_exact:
            prompt = ModelPrompt(whole_prompt(request.messages), request.omitted_messages)
            room = window - estimate_prompt_tokens(request.read_messages)
            max_tokens = min(max_tokens, max(room, MIN_ANSWER_TOKENS))
        else:
            prompt = fit_to_window(
                request.messages, int(window * self.shrink), max_tokens, request.omitted_messages
            )
        question = replace(
            for_model(request, self.model),
            messages=prompt.messages,
            model=self.model.id,
            id_there=self.model.id_there,
            max_tokens=max_tokens,
            reject_if_busy=self.has_fallback,
            limit_name=known.limit_name,
            reasoning_name=known.reasoning_name,
            starts_in_reasoning=self.model.reasoning_style == "inline_think",
        )
        if self.repaired:
            question = question.without_image_literals()
        return question, prompt.omitted_messages


async def ask_with_failover(
    request: CompletionRequest,
    client_for: Callable[[Model], Upstream],
    model: Model,
    fallback: Model | None = None,
    retries: int = 2,
    my_turn: Callable[[Model], Awaitable[None]] | None = None,
) -> AsyncGenerator[Event]:
    """Yield `AnswerOpened`, pieces and `Finished`; raise the `UpstreamError` that remains.

    `client_for` returns the client of a model's provider. A fallback at another provider also
    answers if the first one can't be reached or refuses all requests.

    `my_turn` is awaited before each request.
    """
    plan = _plan(model, retries, request)
    plan.has_fallback = fallback is not None and _can_read(fallback, request)
    while True:
        relayed = False
        try:
            if my_turn:
                await my_turn(plan.model)
            client = client_for(plan.model)
            async with aclosing(_attempt(plan, request, client)) as events:
                async for event in events:
                    relayed = True
                    yield event
            return
        except UpstreamError as error:
            error.provider = plan.model.provider
            if relayed:
                raise
            wait = _adjust(plan, error, request)
            if wait is None:
                if fallback is None or not _helps(fallback, plan.model, error, request):
                    raise
                plan, fallback, wait = _plan(fallback, retries, request), None, 0.0
        await asyncio.sleep(wait)


def _helps(fallback: Model, model: Model, error: UpstreamError, request: CompletionRequest) -> bool:
    """Return whether the fallback model may succeed after this error."""
    if not _can_read(fallback, request):
        return False
    if isinstance(error, ModelRemoved | OutOfCapacity):
        return True
    is_elsewhere = fallback.provider != model.provider
    is_its_own = isinstance(error, PROVIDER_ERRORS) or type(error) is UpstreamError
    return is_elsewhere and is_its_own


def _can_read(model: Model, request: CompletionRequest) -> bool:
    return model.vision or not request.has_images


def _plan(model: Model, retries: int, request: CompletionRequest) -> _Plan:
    return _Plan(model, retries, stream=can_stream(request, model))


async def _attempt(
    plan: _Plan, request: CompletionRequest, upstream: Upstream
) -> AsyncGenerator[Event]:
    """Make one request.

    `AnswerOpened` is held back until something follows, so that a retry stays invisible.
    """
    question, omitted = plan.question(request)
    instead_of = request.model if request.model != plan.model.id else ""
    opened: AnswerOpened | None = None
    answer = with_text_calls(
        upstream.ask(question, plan.stream),
        question.tool_names,
        is_json=question.response_format is not None,
    )
    async with aclosing(until_stop(answer, request.stop)) as events:
        async for event in events:
            if isinstance(event, AnswerOpened):
                opened = replace(event, omitted_messages=omitted, instead_of=instead_of)
                continue
            if opened and isinstance(event, Finished) and not event.complete:
                raise UpstreamDisconnected(detail="ended without a word")
            if opened:
                yield opened
                opened = None
            if isinstance(event, Finished):
                event = _told_why(event, question.max_tokens)
                if event.reasoning_name:
                    learned.about(plan.model.id).reasoning_name = event.reasoning_name
            yield event


def _told_why(finished: Finished, max_tokens: int) -> Finished:
    """Add the finish reason `length` to an answer that used all of `max_tokens`.

    Streams of the native format report no finish reason.
    """
    used = finished.usage.completion_tokens if finished.usage else 0
    is_cut = finished.complete and not finished.finish_reason and used >= max_tokens
    return replace(finished, finish_reason="length") if is_cut else finished


def _adjust(plan: _Plan, error: UpstreamError, request: CompletionRequest) -> float | None:
    """Adapt `plan` for another attempt; return the seconds to wait first, or None to give up."""
    if isinstance(error, ContextTooLong) and plan.shrink == 1.0:
        if error.limit_tokens:
            window = min(error.limit_tokens, plan.model.context_window)
            learned.about(plan.model.id).window = window
        if request.is_exact:
            error.limit_tokens = error.limit_tokens or plan.model.context_window
            return None
        plan.shrink = SHRINK
        return 0.0
    if isinstance(error, ParameterRefused) and error.name not in plan.refused:
        plan.refused.add(error.name)
        return 0.0 if learned.about(plan.model.id).rename(plan.refused, error.name) else None
    if isinstance(error, BadImageData) and request.mentions_images and not plan.repaired:
        plan.repaired = True
        return 0.0
    if isinstance(error, NotStreamed) and plan.stream:
        plan.stream = False
        return 0.0
    if isinstance(error, OutOfCapacity) and plan.has_fallback:
        return None
    if not _is_worth_repeating(error) or not plan.retries_left:
        return None
    plan.retries_left -= 1
    plan.retries_made += 1
    return _wait_seconds(plan.retries_made, error)


def _is_worth_repeating(error: UpstreamError) -> bool:
    """Return whether the same request may succeed, and the provider did no work for this one."""
    if isinstance(error, UpstreamUnreachable | UpstreamBusy):
        return (error.retry_after_seconds or 0) <= MAX_WAIT_SECONDS
    return isinstance(error, UpstreamReportedTimeout) or type(error) is UpstreamError


def _wait_seconds(retries_made: int, error: UpstreamError) -> float:
    """Return an exponential backoff with jitter, at least as long as the provider asked for."""
    backoff = doubled(BACKOFF_SECONDS, retries_made - 1, MAX_WAIT_SECONDS)
    return max(error.retry_after_seconds or 0.0, backoff * random.uniform(0.5, 1.5))
