"""Beginning a generation: the stored kind and the temporary kind."""

import asyncio
import uuid
from collections.abc import AsyncGenerator

from django.conf import settings

from chat.accounts.principals import Principal
from chat.errors import Leaving
from chat.lib import trace
from chat.lib.catalogue import Model
from chat.relay import clients, life, models_on_offer, registry, sending, threads
from chat.relay.answer import answer
from chat.relay.events import Event
from chat.relay.generation import Generation
from chat.relay.question import Question
from chat.relay.sending import Send, Sent


async def start_temporary(principal: Principal, question: Question, model: Model) -> Generation:
    """An answer that lives in this process's memory only."""
    await _ready()
    live = Generation(principal.key, settings.MAX_ANSWER_CHARS)
    return registry.start(live, _events(question, model), settings.ABANDONED_AFTER_SECONDS)


async def start_stored(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send, model: Model
) -> Sent:
    """Stores the send and starts its answer; a repeated send starts nothing.

    Both or neither: a caller who goes away in between does not leave an answer without a writer.
    """
    await _ready()
    work = _store_and_start(principal, conversation_id, asked, model)
    task = asyncio.create_task(work, context=trace.fresh_context())
    starting = life.current().starting
    starting.add(task)
    task.add_done_callback(starting.discard)
    return await asyncio.shield(task)


async def _store_and_start(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send, model: Model
) -> Sent:
    here = life.current()
    sent = await threads.writer.run(
        sending.send, principal, conversation_id, asked, model.id, here.worker
    )
    if sent.is_new:
        row = sent.generation
        live = Generation(principal.key, settings.MAX_ANSWER_CHARS, row.id, row.base_length)
        here.scribe.take(live, sent.base_text, sent.base_reasoning)
        question = Question(
            messages=sent.history,
            model=model.id,
            max_tokens=settings.MAX_TOKENS,
            affinity=sent.conversation_id.hex,
            metadata={"principal": principal.key, "conversation": sent.conversation_id.hex},
        )
        seconds = settings.MEMBER_ABANDONED_AFTER_SECONDS
        registry.start(live, _events(question, model), seconds, here.scribe.keep)
    return sent


async def _ready() -> None:
    here = life.current()
    await here.start()
    if here.draining:
        raise Leaving(retry_after_seconds=2)


def _events(question: Question, model: Model) -> AsyncGenerator[Event]:
    return answer(
        question,
        clients.current(),
        model,
        models_on_offer.fallback(),
        settings.UPSTREAM_RETRIES,
    )
