"""Start generations, stored or temporary.

Reserving the cost and starting the task happen together or not at all: a client that disconnects in
between leaves neither an answer without a task nor a reservation without an answer.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images import prompt_images
from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.database.detached import result_of
from chat.database.fair_queues import FairQueues
from chat.errors import (
    AllocationExhausted,
    ConversationFull,
    QuotaExceeded,
    RateLimitExceeded,
    ShuttingDown,
)
from chat.generations.billing import charging
from chat.generations.delivery import notifications
from chat.generations.process import server_process
from chat.generations.process.subscribers import seen_elsewhere
from chat.generations.result import Result
from chat.generations.send import prepare, program_calls, refusal_backoff, submit
from chat.generations.send.program_calls import ProgramCall
from chat.generations.send.send_types import Prepared, Send, Sent
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.task import abandonment, registry
from chat.generations.task.task import GenerationTask, ResultHandler
from chat.lib import metrics, trace
from chat.lib.catalogue import Model
from chat.quotas import headroom, ledger, pauses
from chat.upstream import available_models, factory
from chat.upstream.events import Event
from chat.upstream.failover import ask_with_failover
from chat.upstream.rate_limit import wait_for_slot
from chat.upstream.request import CompletionRequest

#: Waiting sends per principal. A website's server sends on behalf of many people.
MAX_STORED_SENDS = 8
MAX_TEMPORARY_SENDS = 100

T = TypeVar("T")

#: Hooks of other packages, called with each stored answer that has ended. They must be quick.
answer_hooks: list[Callable[[Principal, Sent, Result], None]] = []

_stored_sends = FairQueues("sends", MAX_STORED_SENDS)
_temporary_sends = FairQueues("sends", MAX_TEMPORARY_SENDS)


async def start_temporary(
    principal: Principal,
    question: CompletionRequest,
    model: Model,
    fallback: str | None = "",
    *,
    is_resumable: bool = True,
    call: ProgramCall | None = None,
) -> GenerationTask:
    """Start an answer that is kept in this process's memory only; its cost is stored.

    An empty `fallback` is the site's; None is none. `is_resumable` says whether a client that
    loses its connection can resume. A `call` is kept as a conversation at the end.
    """
    seconds = abandonment.temporary_after_seconds(principal, is_resumable=is_resumable)
    work = _reserve_and_start(principal, question, model, fallback, seconds, call)
    return await run_to_completion(principal, work)


async def start_stored(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    asked: Send,
    model: Model,
    tab: str = "",
) -> Sent | HandedOffMessage:
    """Store the send and start its answer.

    A repeated send starts nothing, nor does a message that a staff member is to answer. The user's
    other pages are notified, except the `tab` that sent it.
    """
    work = _store_and_start(principal, conversation_id, asked, model, tab)
    return await run_to_completion(principal, work)


async def _reserve_and_start(
    principal: Principal,
    question: CompletionRequest,
    model: Model,
    fallback: str | None,
    abandoned_after_seconds: float,
    call: ProgramCall | None,
) -> GenerationTask:
    live = GenerationTask(principal.key, settings.MAX_ANSWER_CHARS)
    estimate = charging.estimate(question.read_messages, model, question.max_tokens, fallback)
    async with _temporary_sends.turn(principal.key):
        if not headroom.is_ample(principal.payer):
            await threads.readers.run(ledger.check_limits, principal.payer, estimate)
        granted = await threads.writer.run(
            charging.reserve_temporary, live.id, principal.payer, estimate, model, process_id()
        )
    events = _events(live, replace(question, max_tokens=granted), model, fallback)
    keep = _with_allocation_pause(_settle)
    keep = _with_conversation(keep, call) if call else keep
    return registry.start(live, events, abandoned_after_seconds, keep)


async def _settle(live: GenerationTask, ending: Result) -> Result:
    here = server_process.current()
    here.unsettled[live.id] = ending
    await here.settle()
    return ending


def _with_conversation(keep: ResultHandler, call: ProgramCall) -> ResultHandler:
    """Wrap `keep` to store the call and its answer as a conversation."""

    async def keeping(live: GenerationTask, ending: Result) -> Result:
        ending = await keep(live, ending)
        await program_calls.keep(call, live, ending)
        return ending

    return keeping


async def _store_and_start(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send, model: Model, tab: str
) -> Sent | HandedOffMessage:
    here = server_process.current()
    async with _stored_sends.turn(principal.key):
        sent = await _store(principal, conversation_id, asked, model)
    if isinstance(sent, Sent) and sent.is_new:
        row = sent.generation
        live = GenerationTask(principal.key, settings.MAX_ANSWER_CHARS, row.id, row.base_length)
        here.log_writer.take(live, sent.base_text, sent.base_reasoning)
        question = CompletionRequest(
            messages=await _with_images(principal, sent.history),
            omitted_messages=sent.omitted_messages,
            model=row.model,
            max_tokens=sent.max_tokens,
            parameters=sent.generation_settings.parameters,
            reasoning_effort=row.reasoning_effort,
            cache_seconds=sent.generation_settings.cache_seconds,
            affinity=sent.conversation_id.hex,
            metadata={"principal": principal.key, "conversation": sent.conversation_id.hex},
        )
        seconds = abandonment.stored_after_seconds(principal)
        notifications.notify_in_background(row.owner_id, "turn", sent.conversation_id, tab)
        keep = _with_allocation_pause(here.log_writer.store_result)
        keep = _with_notification(keep, principal, sent, tab)
        events = _events(
            live,
            question,
            available_models.known(row.model) or available_models.find(row.model),
            sent.generation_settings.fallback_model,
        )
        registry.start(live, events, seconds, keep, seen_elsewhere)
    return sent


async def _with_images(principal: Principal, messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with the content of their images, which is in memory only from here."""
    if not any(each.images for each in messages):
        return messages
    return await threads.readers.run(prompt_images.loaded, principal.user_id, messages)


async def _store(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send, model: Model
) -> Sent | HandedOffMessage:
    """Store the send. Only sends that passed `prepare` reach the database writer."""
    given = principal, conversation_id, asked, model
    prepared = await threads.readers.run(prepare.prepare, *given)
    if not isinstance(prepared, Prepared):
        return prepared
    return await threads.writer.run(submit.send, *given, server_process.current().worker, prepared)


def _with_notification(
    keep: ResultHandler, principal: Principal, sent: Sent, tab: str
) -> ResultHandler:
    """Wrap `keep` to notify the user's other pages, and the hooks, of the stored answer."""

    async def telling(live: GenerationTask, ending: Result) -> Result:
        ending = await keep(live, ending)
        notifications.notify_in_background(
            sent.generation.owner_id, "answer", sent.conversation_id, tab
        )
        for hook in answer_hooks:
            hook(principal, sent, ending)
        return ending

    return telling


async def run_to_completion(principal: Principal, work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even if the caller is cancelled. Delay repeated refusals."""
    try:
        await _ready()
    except BaseException:
        work.close()
        raise
    task = asyncio.create_task(work, context=trace.fresh_context())
    starting = server_process.current().starting
    starting.add(task)
    task.add_done_callback(starting.discard)
    try:
        return await result_of(task)
    except (QuotaExceeded, RateLimitExceeded, ConversationFull) as error:
        if isinstance(error, QuotaExceeded):
            metrics.record_quota_refusal(error.measure)
        await asyncio.sleep(refusal_backoff.delay_seconds(principal.key))
        raise


async def _ready() -> None:
    here = server_process.current()
    await here.start()
    if here.refuses_work:
        raise ShuttingDown(retry_after_seconds=2)


def process_id() -> int | None:
    """Return the id of this process's row, for charges."""
    worker = server_process.current().worker
    return worker.pk if worker else None


def _events(
    live: GenerationTask, question: CompletionRequest, model: Model, fallback: str | None
) -> AsyncGenerator[Event]:
    return ask_with_failover(
        question,
        factory.client_for,
        model,
        None if fallback is None else available_models.fallback(fallback),
        settings.UPSTREAM_RETRIES,
        wait_for_slot,
        live,
    )


def _with_allocation_pause(keep: ResultHandler) -> ResultHandler:
    """Wrap `keep` to pause requests once a provider reports its daily allocation as spent.

    The emulator is excluded, as it reports so on demand.
    """

    async def noting(live: GenerationTask, ending: Result) -> Result:
        error = live.error
        if isinstance(error, AllocationExhausted) and not factory.uses_emulator(error.provider):
            with suppress(*DATABASE_ERRORS):
                await threads.writer.run(pauses.pause, error.provider)
        return await keep(live, ending)

    return noting
