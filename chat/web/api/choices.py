"""Answer a request that wants several answers (`n`), each of which is a generation of its own."""

import asyncio
from collections.abc import Sequence
from typing import Any

from chat.conversations.prompt import PromptMessage
from chat.errors import QuotaExceeded
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.responses import collect
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.quotas.units import Measure
from chat.upstream.request import CompletionRequest
from chat.web.api import api_answers
from chat.web.api.api_callers import ApiCaller
from chat.web.api.chat_request import ChatRequest
from chat.web.api.request_tools import OfferedTools


async def several_choices(
    caller: ApiCaller, request: ChatRequest, messages: list[PromptMessage], tools: OfferedTools
) -> dict[str, Any]:
    """Return one chat completion. Only its first choice may be kept as a chat.

    If one of them fails, the others are stopped, and its error is raised.
    """
    question, model = await api_answers.question_of(caller, request, messages, tools)

    async def complete(live: GenerationTask) -> dict[str, Any]:
        document = OpenAICompletion(live.id, model.id, tools.forms)
        await collect(live, caller.principal, document)
        return document.body()

    completing: list[asyncio.Task[dict[str, Any]]] = []
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(request.choices):
                live = await _started(caller, question, model, completing)
                completing.append(group.create_task(complete(live)))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return _joined([each.result() for each in completing])


async def _started(
    caller: ApiCaller,
    question: CompletionRequest,
    model: Model,
    others: Sequence[asyncio.Task[dict[str, Any]]],
) -> GenerationTask:
    """Start an answer. What the `others` take of a limit is waited for: they are paid for."""
    while True:
        running = [each for each in others if not each.done()]
        try:
            return await api_answers.ask(caller, question, model, is_chat=not others)
        except QuotaExceeded as refused:
            if refused.measure == Measure.REQUESTS or not running:
                raise
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)


def _joined(completions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the first with the choices of all, and what all of them used."""
    choices = [{**each["choices"][0], "index": i} for i, each in enumerate(completions)]
    used = _total([each["usage"] for each in completions if "usage" in each])
    return {**completions[0], "choices": choices} | ({"usage": used} if used else {})


def _total(counts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    total: dict[str, Any] = {}
    for name in {name for each in counts for name in each}:
        values = [each[name] for each in counts if name in each]
        total[name] = _total(values) if isinstance(values[0], dict) else sum(values)
    return total
