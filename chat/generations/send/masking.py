"""Mask personal data in what a provider is sent, and restore it in what comes back.

This is between the request and its answer, below tools, citations and the log: tools are called
with the values, their results are masked with the next request, and readers and the log get the
values only.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.lib.fair_work import in_steps
from chat.lib.personal_data.placeholders import (
    Placeholders,
    Restorer,
    mask_all,
    mask_each,
)
from chat.lib.worker_thread import Steps
from chat.site_settings import effective
from chat.upstream.events import Event, Finished, Reasoning, Text, ToolCall, ToolCallPiece
from chat.upstream.request import CompletionRequest

Ask = Callable[[CompletionRequest], AsyncGenerator[Event]]

#: What a model is told if something was masked.
HINT = (
    "Personal data has been replaced by placeholders such as [email 1] or [phone 2]. To refer to "
    "such a value, write its placeholder unchanged."
)


def is_masked_for(user_id: int) -> bool:
    """Return whether personal data in requests of this member, or visitor, is masked."""
    if effective.masks_personal_data():
        return True
    groups = effective.groups_with_masking()
    return bool(groups) and _is_in_one(user_id, groups)


async def is_masked(principal: Principal) -> bool:
    """Return whether personal data of this person's requests is masked."""
    if effective.masks_personal_data():
        return True
    groups = effective.groups_with_masking()
    if principal.is_evaluation:  # of questions that anybody may have asked
        return bool(groups)
    return bool(groups) and await threads.readers.run(_is_in_one, principal.user_id, groups)


def _is_in_one(user_id: int, groups: Sequence[int]) -> bool:
    return User.groups.through.objects.filter(user=user_id, group__in=groups).exists()


async def masked_texts(principal: Principal, texts: Sequence[str]) -> list[str]:
    """Return texts that are sent together, masked if need be, with the same placeholders."""
    if not await is_masked(principal):
        return list(texts)
    return await in_steps(principal.key, mask_all(texts, effective.phone_region()))


async def masked_each(principal: Principal, texts: list[str]) -> list[str]:
    """Return texts that have nothing to do with each other, masked if need be."""
    if not await is_masked(principal):
        return texts
    return await in_steps(principal.key, mask_each(texts, effective.phone_region()))


def masking(principal: Principal, ask: Ask) -> Ask:
    """Return how to ask for one answer, whose requests have the same placeholders.

    On a site that masks nothing, that is `ask` itself, so that its tokens take no detour.
    """
    if not (effective.masks_personal_data() or effective.groups_with_masking()):
        return ask
    placeholders = Placeholders(effective.phone_region())

    async def asked(request: CompletionRequest) -> AsyncGenerator[Event]:
        if await is_masked(principal):
            request = await in_steps(principal.key, _masked(request, placeholders))
        answer = ask(request)
        restored = _restored(answer, placeholders) if placeholders else answer
        async with aclosing(answer), aclosing(restored):
            async for event in restored:
                yield event

    return asked


def _masked(request: CompletionRequest, placeholders: Placeholders) -> Steps[CompletionRequest]:
    """Return the request without personal data in what people, tools and the site have written.

    Descriptions of tools and schemas of answers stay: a model has to follow them to the letter.
    """
    for each in request.messages:
        for text in (each.content, each.reasoning, each.name, *map(_arguments_of, each.tool_calls)):
            placeholders.avoid(text)
    messages = []
    for each in request.messages:
        messages.append((yield from _masked_message(each, placeholders)))
        yield
    forwarded = dict(request.forwarded)
    for name, value in forwarded.items():
        if isinstance(value, str):
            forwarded[name] = yield from placeholders.mask_in_steps(value)
    if placeholders:
        messages.append(PromptMessage("system", HINT))
    return replace(request, messages=messages, forwarded=forwarded)


def _masked_message(message: PromptMessage, placeholders: Placeholders) -> Steps[PromptMessage]:
    calls, images = [], []
    for call in message.tool_calls:
        calls.append((yield from _masked_call(call, placeholders)))
    for image in message.images:
        images.append(replace(image, name=(yield from placeholders.mask_in_steps(image.name))))
    name = yield from placeholders.mask_in_steps(message.name)
    return replace(
        message,
        name=message.name if name == message.name else _as_name(name),
        content=(yield from placeholders.mask_in_steps(message.content)),
        reasoning=(yield from placeholders.mask_in_steps(message.reasoning)),
        tool_calls=tuple(calls),
        images=tuple(images),
    )


def _as_name(masked: str) -> str:
    """Return a participant's name as providers take it, which is without spaces and brackets."""
    return "_".join(masked.replace("[", " ").replace("]", " ").split())


def _masked_call(call: Mapping[str, Any], placeholders: Placeholders) -> Steps[Mapping[str, Any]]:
    arguments = _arguments_of(call)
    if not arguments:
        return call
    masked = yield from placeholders.mask_json(arguments)
    return {**call, "function": {**call["function"], "arguments": masked}}


def _arguments_of(call: Mapping[str, Any]) -> str:
    """Return what a call was made with, as JSON; empty if nothing."""
    function = call.get("function")
    arguments = function.get("arguments") if isinstance(function, Mapping) else None
    return arguments if isinstance(arguments, str) else ""


async def _restored(
    events: AsyncGenerator[Event], placeholders: Placeholders
) -> AsyncGenerator[Event]:
    answer = _RestoredAnswer(placeholders)
    try:
        async for event in events:
            for each in answer.feed(event):
                yield each
    except Exception:
        for each in answer.rest():
            yield each
        raise


class _RestoredAnswer:
    """Restore the values in the text, the reasoning and the calls of an answer."""

    def __init__(self, placeholders: Placeholders) -> None:
        self._placeholders = placeholders
        self._text, self._reasoning = Restorer(placeholders), Restorer(placeholders)
        self._calls: dict[int, Restorer] = {}

    def feed(self, event: Event) -> Iterator[Event]:
        """Yield what can be shown; what is held back comes before an event of another kind."""
        if isinstance(event, Text):
            yield from self._rest_of_reasoning()
            if text := self._text.feed(event.text):
                yield Text(text)
        elif isinstance(event, Reasoning):
            yield from self._rest_of_text()
            if text := self._reasoning.feed(event.text):
                yield Reasoning(text)
        elif isinstance(event, ToolCallPiece):
            reader = self._calls.setdefault(event.index, Restorer(self._placeholders))
            arguments = reader.feed(event.arguments)
            if event.name or arguments or event.extra_content:
                yield ToolCallPiece(event.index, event.name, arguments, event.extra_content)
        elif isinstance(event, Finished):
            yield from self.rest()
            yield replace(event, tool_calls=list(map(self._call, event.tool_calls)))
        else:
            yield event

    def rest(self) -> Iterator[Event]:
        """Yield what is held back."""
        yield from self._rest_of_reasoning()
        yield from self._rest_of_text()
        for index, reader in self._calls.items():
            if rest := reader.rest():
                yield ToolCallPiece(index, "", rest)

    def _rest_of_text(self) -> Iterator[Event]:
        if rest := self._text.rest():
            yield Text(rest)

    def _rest_of_reasoning(self) -> Iterator[Event]:
        if rest := self._reasoning.rest():
            yield Reasoning(rest)

    def _call(self, call: ToolCall) -> ToolCall:
        return replace(call, arguments=self._placeholders.restore(call.arguments))
