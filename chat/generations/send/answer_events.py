"""Make the events of an answer: what the model is asked, with its tools and citations."""

from collections.abc import AsyncGenerator, Sequence

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.images import prompt_images
from chat.conversations.prompt import PromptMessage
from chat.conversations.sources import sources
from chat.conversations.tool_calls.calls import start_again
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.generations.send.cited_answers import with_citations
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.document_results import read_again
from chat.generations.send.masking import Ask, masking
from chat.generations.send.no_answer import no_answer
from chat.generations.send.sent import Sent
from chat.generations.send.tool_loop import with_tools
from chat.generations.send.tool_use import ToolUse, tool_use
from chat.generations.task.task import GenerationTask
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.lib.catalogue import Model
from chat.site_settings import effective
from chat.upstream import available_models, factory
from chat.upstream.events import Event
from chat.upstream.failover import ask_with_failover
from chat.upstream.rate_limit import wait_for_slot
from chat.upstream.request import CompletionRequest


def temporary_events(
    principal: Principal,
    task: GenerationTask,
    question: CompletionRequest,
    model: Model,
    fallback: str | None,
    tools: Sequence[str],
    documents: DocumentQuery | None,
    given: GivenPassages | None,
    language: str,
) -> AsyncGenerator[Event]:
    """Return the events of an answer that is kept in memory only."""
    if given and given.no_answer:
        events = no_answer(question.model, language)
    elif tools:
        collections = documents.collections if documents else []
        use = tool_use(
            principal,
            task,
            model,
            fallback,
            tools,
            question.messages,
            collections=collections,
            given=given,
        )
        events = with_tools(_asking(principal, model, fallback), question, use)
    else:
        events = _asking(principal, model, fallback)(question)
    if given or tools:
        is_json = question.response_format is not None
        events = with_citations(events, given, for_visitor=bool(principal.site), is_json=is_json)
    return events


async def stored_events(
    principal: Principal, sent: Sent, task: GenerationTask, language: str
) -> AsyncGenerator[Event]:
    """Return the events of the answer to a send that has been stored."""
    row = sent.generation
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
    model = available_models.known(row.model) or available_models.find(row.model)
    fallback = sent.fallback
    found_before: list[GivenPassage] = []
    use: ToolUse | None = None
    if sent.tools or sent.tool_calls:
        found_before, use = await _stored_tool_use(principal, sent, task, question, model)
    if sent.given and sent.given.no_answer:
        events = no_answer(row.model, language)
    elif use:
        events = with_tools(_asking(principal, model, fallback), question, use)
    else:
        events = _asking(principal, model, fallback)(question)
    if sent.given is not None or use:
        events = with_citations(
            events,
            sent.given,
            for_visitor=bool(principal.site),
            found_before=found_before,
            text_before=sent.base_text,
        )
    return events


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
        started = await threads.writer.run(start_again, message_id)
        calls = list(await threads.readers.run(read_again, started, sent.collections))
    task.prompt_tokens, task.max_tokens = sent.prompt_tokens, sent.max_tokens
    use = tool_use(
        principal,
        task,
        model,
        sent.fallback,
        sent.tools,
        question.messages,
        collections=sent.collections,
        given=sent.given,
        found_before=found,
        pages=sent.pages,
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


def _asking(principal: Principal, model: Model, fallback: str | None) -> Ask:
    """Return how to ask the model for one answer, which may take several requests."""

    def ask(question: CompletionRequest) -> AsyncGenerator[Event]:
        return _ask(question, model, fallback)

    return masking(principal, ask) if effective.may_mask_personal_data() else ask


def _ask(question: CompletionRequest, model: Model, fallback: str | None) -> AsyncGenerator[Event]:
    return ask_with_failover(
        question,
        factory.client_for,
        model,
        None if fallback is None else available_models.fallback(fallback),
        settings.UPSTREAM_RETRIES,
        wait_for_slot,
    )


async def failing(error: Exception) -> AsyncGenerator[Event]:
    """Raise in the task of an answer, which ends it: by now, it is stored and charged."""
    raise error
    yield
