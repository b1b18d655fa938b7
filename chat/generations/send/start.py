"""Start generations, stored or temporary.

Reserving the cost and starting the task happen together or not at all: a client that disconnects in
between leaves neither an answer without a task nor a reservation without an answer.
"""

import uuid
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from functools import partial

from django.conf import settings
from django.utils.translation import get_language

from chat.accounts.principals import Principal
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images import prompt_images
from chat.conversations.prompt import PromptMessage
from chat.conversations.sources import sources
from chat.conversations.tool_calls.calls import start_again
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.delivery import notifications
from chat.generations.process import server_process
from chat.generations.process.subscribers import seen_elsewhere
from chat.generations.send.cited_answers import with_citations
from chat.generations.send.completion import process_id, run_to_completion
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.no_answer import no_answer
from chat.generations.send.on_end import AnswerEnd, ResultStep
from chat.generations.send.passages import passages_for, with_passages
from chat.generations.send.plan import SendPlan, plan
from chat.generations.send.program_calls import ProgramCall
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.store import store
from chat.generations.send.tool_loop import with_tools
from chat.generations.send.tool_use import ToolUse, described, temporary_tools, tool_use
from chat.generations.task import abandonment, registry
from chat.generations.task.task import GenerationTask
from chat.knowledge.given import GivenPassage
from chat.lib.catalogue import Model
from chat.lib.limits import FairQueues
from chat.quotas import ledger
from chat.upstream import available_models, factory
from chat.upstream.events import Event
from chat.upstream.failover import ask_with_failover
from chat.upstream.rate_limit import wait_for_slot
from chat.upstream.request import CompletionRequest

#: Waiting sends per principal. A website's server sends on behalf of many people.
MAX_STORED_SENDS = 8
MAX_TEMPORARY_SENDS = 100

_stored_sends = FairQueues("sends", MAX_STORED_SENDS)
_temporary_sends = FairQueues("sends", MAX_TEMPORARY_SENDS)


async def start_temporary(
    principal: Principal,
    question: CompletionRequest,
    model: Model,
    fallback: str | None = "",
    *,
    documents: DocumentQuery | None = None,
    is_resumable: bool = True,
    is_message: bool = True,
    call: ProgramCall | None = None,
    at_end: ResultStep | None = None,
    tools: Sequence[str] = (),
) -> GenerationTask:
    """Start an answer that is kept in this process's memory only; its cost is stored.

    `""` uses the site's fallback model; None uses none. The answer is based on passages of the
    `documents`. `is_resumable` says whether a client that loses its connection can resume,
    `is_message` whether it counts as a message that somebody sent. A `call` is kept as a
    conversation at the end; `at_end` is a further step there. The answer may call these `tools`.
    """
    seconds = abandonment.temporary_after_seconds(principal, is_resumable=is_resumable)
    ending = AnswerEnd(principal, call=call, at_end=at_end)
    language = _language()
    work = _reserve_and_start(
        principal,
        question,
        model,
        fallback,
        documents,
        tools,
        seconds,
        ending,
        language,
        is_message,
    )
    return await run_to_completion(principal, work)


async def start_stored(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    send: Send,
    model: Model,
    tab: str = "",
) -> Sent | HandedOffMessage:
    """Store the send and start its answer.

    A repeated send starts nothing, nor does a message that a staff member is to answer. The user's
    other pages are notified, except the `tab` that sent it.
    """
    work = _store_and_start(principal, conversation_id, send, model, tab, _language())
    return await run_to_completion(principal, work)


async def _reserve_and_start(
    principal: Principal,
    question: CompletionRequest,
    model: Model,
    fallback: str | None,
    documents: DocumentQuery | None,
    tools: Sequence[str],
    abandoned_after_seconds: float,
    ending: AnswerEnd,
    language: str,
    is_message: bool,
) -> GenerationTask:
    given = await passages_for(principal, documents) if documents else None
    if given and not given.no_answer:
        question = replace(question, messages=with_passages(question.messages, given))
    task = GenerationTask(principal.key, settings.MAX_ANSWER_CHARS)
    names = await temporary_tools(principal, tools, model, has_documents=documents is not None)
    read = [*described(names), *question.read_messages]
    estimate = replace(
        charging.estimate(read, model, question.max_tokens, fallback),
        is_message=is_message,
    )
    async with _temporary_sends.turn(principal.key):
        if not ledger.has_ample_limits(principal.payer):
            await threads.readers.run(ledger.check_limits, principal.payer, estimate)
        granted = await threads.writer.run(
            charging.reserve_temporary, task.id, principal.payer, estimate, model, process_id()
        )
    task.prompt_tokens, task.max_tokens = estimate.prompt_tokens, granted
    question = replace(question, max_tokens=granted)
    if given and given.no_answer:
        events = no_answer(question.model, language)
    elif names:
        collections = documents.collections if documents else []
        use = tool_use(
            principal,
            task,
            model,
            fallback,
            names,
            question.messages,
            collections=collections,
            given=given,
        )
        events = with_tools(partial(_events, model=model, fallback=fallback), question, use)
    else:
        events = _events(question, model, fallback)
    if given or names:
        is_json = question.response_format is not None
        events = with_citations(events, given, for_visitor=bool(principal.site), is_json=is_json)
    return registry.start(task, events, abandoned_after_seconds, ending)


async def _store_and_start(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    send: Send,
    model: Model,
    tab: str,
    language: str,
) -> Sent | HandedOffMessage:
    async with _stored_sends.turn(principal.key):
        sent = await _plan_and_store(principal, conversation_id, send, model)
    if isinstance(sent, Sent) and sent.is_new:
        await _start(principal, sent, tab, language)
    return sent


async def _plan_and_store(
    principal: Principal, conversation_id: uuid.UUID | None, send: Send, model: Model
) -> Sent | HandedOffMessage:
    """Store the send. Only those that are not refused before reach the database writer."""
    planned = await threads.readers.run(plan, principal, conversation_id, send, model)
    if not isinstance(planned, SendPlan):
        return planned
    if planned.answer and planned.answer.documents:
        given = await passages_for(principal, planned.answer.documents)
        if given is not None:
            planned = replace(planned, answer=planned.answer.with_passages(given))
    worker = server_process.current().worker
    return await threads.writer.run(store, principal, conversation_id, send, model, worker, planned)


async def _start(principal: Principal, sent: Sent, tab: str, language: str) -> None:
    """Start the answer to a send that has been stored."""
    row = sent.generation
    task = GenerationTask(principal.key, settings.MAX_ANSWER_CHARS, row.id, row.base_length)
    server_process.current().log_writer.take(task, sent.base_text, sent.base_reasoning)
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
    notifications.notify_in_background(row.owner_id, "turn", sent.conversation_id, tab)
    model = available_models.known(row.model) or available_models.find(row.model)
    fallback = sent.generation_settings.fallback_model
    found_before: list[GivenPassage] = []
    use: ToolUse | None = None
    if sent.tools or sent.tool_calls:
        found_before, use = await _stored_tool_use(principal, sent, task, question, model)
    if sent.given and sent.given.no_answer:
        events = no_answer(row.model, language)
    elif use:
        events = with_tools(partial(_events, model=model, fallback=fallback), question, use)
    else:
        events = _events(question, model, fallback)
    if sent.given is not None or use:
        events = with_citations(
            events,
            sent.given,
            for_visitor=bool(principal.site),
            found_before=found_before,
            text_before=sent.base_text,
        )
    seconds = abandonment.stored_after_seconds(principal)
    registry.start(task, events, seconds, AnswerEnd(principal, sent, tab), seen_elsewhere)


async def _stored_tool_use(
    principal: Principal,
    sent: Sent,
    task: GenerationTask,
    question: CompletionRequest,
    model: Model,
) -> tuple[list[GivenPassage], ToolUse]:
    """Return what tools have found for the answer before, and what it may use.

    From here on, the calls that a person has allowed count as running.
    """
    message_id = sent.generation.message_id
    found: list[GivenPassage] = []
    calls: list[StoredToolCall] = []
    if sent.tool_calls:
        found = await threads.readers.run(sources.found_by_tools, message_id)
        calls = await threads.writer.run(start_again, message_id)
    task.prompt_tokens, task.max_tokens = sent.prompt_tokens, sent.max_tokens
    use = tool_use(
        principal,
        task,
        model,
        sent.generation_settings.fallback_model,
        sent.tools,
        question.messages,
        collections=sent.collections,
        given=sent.given,
        found_before=found,
        message_id=message_id,
        conversation=str(sent.conversation_id),
        calls=calls,
        allowed=sent.generation_settings.allowed_tools,
    )
    return found, use


async def _with_images(principal: Principal, messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with the content of their images, which is in memory only from here."""
    if not any(each.images for each in messages):
        return messages
    return await threads.readers.run(prompt_images.loaded, principal.user_id, messages)


def _language() -> str:
    """Return the language of the request; the work that it starts has a context of its own."""
    return get_language() or settings.LANGUAGE_CODE


def _events(
    question: CompletionRequest, model: Model, fallback: str | None
) -> AsyncGenerator[Event]:
    return ask_with_failover(
        question,
        factory.client_for,
        model,
        None if fallback is None else available_models.fallback(fallback),
        settings.UPSTREAM_RETRIES,
        wait_for_slot,
    )
