"""Start generations, stored or temporary.

Reserving the cost and starting the task happen together or not at all: a client that disconnects in
between leaves neither an answer without a task nor a reservation without an answer.
"""

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings
from django.utils.translation import get_language

from chat.accounts.principals import Principal
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.delivery import notifications
from chat.generations.process import server_process
from chat.generations.process.subscribers import seen_elsewhere
from chat.generations.send import before_send
from chat.generations.send.answer_events import failing, stored_events, temporary_events
from chat.generations.send.completion import process_id, run_to_completion
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.on_end import AnswerEnd, ResultStep
from chat.generations.send.passages import passages_for, with_passages
from chat.generations.send.plan import SendPlan, plan
from chat.generations.send.program_calls import ProgramCall
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.store import PlanOutdated, store
from chat.generations.send.tool_use import described, temporary_tools
from chat.generations.task import abandonment, registry
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.lib.limits import FairQueues
from chat.quotas import ledger
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
    if is_message:
        await before_send.check_messages(principal, question.messages)
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
    try:
        events = temporary_events(
            principal, task, question, model, fallback, names, documents, given, language
        )
    except Exception as error:
        events = failing(error)
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
        try:
            sent = await _plan_and_store(principal, conversation_id, send, model)
        except PlanOutdated:
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
    if planned.answer:
        answer = planned.answer
        steps = await before_send.check_turn(principal, answer.turn)
        answer = replace(answer, at_storing=steps)
        given = await passages_for(principal, answer.documents) if answer.documents else None
        if given is not None:
            answer = answer.with_passages(given)
        planned = replace(planned, answer=answer)
    worker = server_process.current().worker
    return await threads.writer.run(store, principal, conversation_id, send, model, worker, planned)


async def _start(principal: Principal, sent: Sent, tab: str, language: str) -> None:
    """Start the answer to a send that has been stored."""
    row = sent.generation
    task = GenerationTask(principal.key, settings.MAX_ANSWER_CHARS, row.id, row.base_length)
    task.hides_model, task.reader = row.hides_model, principal.reader
    server_process.current().log_writer.take(task, sent.base_text, sent.base_reasoning)
    notifications.notify_in_background(row.owner_id, "turn", sent.conversation_id, tab)
    try:
        events = await stored_events(principal, sent, task, language)
    except Exception as error:
        events = failing(error)
    seconds = abandonment.stored_after_seconds(principal)
    registry.start(task, events, seconds, AnswerEnd(principal, sent, tab), seen_elsewhere)


def _language() -> str:
    """Return the language of the request; the work that it starts has a context of its own."""
    return get_language() or settings.LANGUAGE_CODE
