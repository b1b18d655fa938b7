"""Let a model call tools while it answers: run them, and ask it again with what they returned.

All requests to the model are one answer with one charge, which grows with each of them. A call of a
stored chat is stored before it runs, so that none runs twice, whatever happens to this process. If
a person has to allow one, the answer ends there, and a later send continues it: nothing waits in
memory.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from django.utils import timezone
from msgspec import structs

from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.errors import ChatError
from chat.generations.send.new_call import new_call
from chat.generations.send.request_costs import RequestCosts
from chat.generations.send.tool_images import ResultImages, with_images_after
from chat.generations.send.tool_outcomes import fail_call, step_of, store_call
from chat.generations.send.tool_rounds import (
    MAX_SECONDS,
    NO_MORE,
    provider_id,
    result_message,
    result_text,
    round_messages,
)
from chat.generations.send.tool_use import ToolUse, bounds_of, text_since_last_round
from chat.knowledge.given import GivenPassage
from chat.tools.tool import ToolFailed, ToolResult
from chat.upstream.events import (
    AnswerOpened,
    Event,
    Finished,
    FoundPassages,
    Reasoning,
    Text,
    ToolCallPiece,
)
from chat.upstream.events import ToolCall as RequestedCall
from chat.upstream.request import CompletionRequest

#: Of a single call, unless it waits for a provider, who has limits of its own.
CALL_SECONDS = 45.0

State = StoredToolCall.State
Ask = Callable[[CompletionRequest], AsyncGenerator[Event]]

log = logging.getLogger(__name__)


async def with_tools(ask: Ask, request: CompletionRequest, use: ToolUse) -> AsyncGenerator[Event]:
    """Yield the events of all requests as those of one answer, and the steps between them."""
    loop = _ToolLoop(request, use)
    try:
        async with aclosing(_events(ask, loop)) as events:
            async for event in events:
                yield event
    except Exception:
        if loop.wrote_nothing:
            loop.costs.fail()
        if loop.has_used:
            yield loop.broken_off()
        raise


async def _events(ask: Ask, loop: "_ToolLoop") -> AsyncGenerator[Event]:
    async with aclosing(loop.run_started()) as steps:
        async for step in steps:
            yield step
    while True:
        requested: Finished | None = None
        async with aclosing(ask(loop.request)) as events:
            async for event in events:
                if isinstance(event, Finished):
                    requested = event
                elif shown := loop.shown(event):
                    yield shown
        if requested is None:
            if loop.wrote_nothing:
                loop.costs.fail()
            if loop.has_used:
                yield loop.broken_off()
            return
        loop.costs.end(requested)
        if loop.is_last or not _calls_tools(requested):
            yield loop.finished(requested)
            return
        if theirs := loop.calls_of_program(requested):
            yield replace(loop.finished(requested), tool_calls=theirs)
            return
        async with aclosing(loop.run_round(requested.tool_calls)) as steps:
            async for step in steps:
                yield step
        if loop.is_waiting:
            yield loop.finished(replace(requested, finish_reason="tool_calls"))
            return
        await loop.reserve()


def _calls_tools(finished: Finished) -> bool:
    """Return whether there are complete calls. One that reached the length limit is cut."""
    return finished.complete and bool(finished.tool_calls) and finished.finish_reason != "length"


class _ToolLoop:
    def __init__(self, request: CompletionRequest, use: ToolUse) -> None:
        self._use = use
        self._bounds = bounds_of(request, use)
        self.costs = RequestCosts(use)
        self._has_opened = False
        # What follows calls is a paragraph of its own, unless it continues a sentence.
        ended_with_calls = use.calls and use.calls[-1].text_length >= use.task.base_length
        self._has_text = not ended_with_calls
        self._has_reasoning = True
        self._reasoning_read = 0  # characters of it that are part of the prompt
        self._ends_at = asyncio.get_running_loop().time() + MAX_SECONDS
        self._last_number = use.last_number
        self._images = ResultImages(self._bounds, use.calls, reads=use.model.vision)
        self.is_waiting = False
        self.is_last = self._bounds.is_last_round
        self._of_program = list(request.parameters.get("tools", ()))
        self._described = [tool.as_function() for tool in use.tools.values()]
        self.request = self._with_tools(request)

    def shown(self, event: Event) -> Event | None:
        """Return the event as a part of the whole answer; None if it isn't."""
        if isinstance(event, ToolCallPiece):
            return None
        if isinstance(event, AnswerOpened):
            self.costs.open(event)
            is_first, self._has_opened = not self._has_opened, True
            return event if is_first else None
        if isinstance(event, Text) and not self._has_text:
            self._has_text = True
            if self._use.task.length:
                return Text(f"\n\n{event.text.lstrip()}")
        if isinstance(event, Reasoning) and not self._has_reasoning:
            self._has_reasoning = True
            if self._use.task.reasoning:
                return Reasoning(f"\n\n{event.text.lstrip()}")
        return event

    @property
    def wrote_nothing(self) -> bool:
        """Return whether the model has written nothing since calls of tools returned."""
        return not (self._has_text or self._has_reasoning)

    @property
    def has_used(self) -> bool:
        """Return whether requests have been answered, and nothing was written since."""
        return self.costs.has_asked and self.wrote_nothing

    def broken_off(self) -> Finished:
        """Return the end of an answer that can't go on, with what it has used."""
        return Finished(complete=False, usage=self.costs.total)

    def calls_of_program(self, finished: Finished) -> list[RequestedCall]:
        """Return the calls that the program makes which asks; ours beside them aren't made."""
        names = {each.get("function", {}).get("name") for each in self._of_program}
        return [
            each
            for each in finished.tool_calls
            if each.name in names and each.name not in self._use.tools
        ]

    def finished(self, last: Finished) -> Finished:
        return replace(last, tool_calls=[], usage=self.costs.total)

    async def run_started(self) -> AsyncGenerator[Event]:
        """Run what a person has allowed of an answer that is continued."""
        started = [each for each in self._use.calls if each.state == State.RUNNING]
        if not started:
            return
        async with aclosing(self._run(started)) as steps:
            async for step in steps:
                yield step
        ran = {provider_id(each): each for each in started}
        messages = [
            result_message(ran[each.tool_call_id], self._images.of_calls)
            if each.tool_call_id in ran
            else each
            for each in self.request.messages
        ]
        self.request = replace(self.request, messages=with_images_after(messages))
        await self.reserve()

    async def run_round(self, requested: Sequence[RequestedCall]) -> AsyncGenerator[Event]:
        """Run the calls of one request, except those that a person has to allow."""
        use, bounds = self._use, self._bounds
        bounds.rounds += 1
        # Each step is yielded first: then all text before it is part of the answer.
        made = [new_call(use, bounds, each, number) for number, each in enumerate(requested)]
        for call in made:
            yield step_of(call)
        for call in made:
            call.text_length = use.task.length
        await self.costs.note(made)
        use.calls += made
        running = [each for each in made if each.state == State.RUNNING]
        async with aclosing(self._run(running)) as steps:
            async for step in steps:
                yield step
        self._has_text = self._has_reasoning = False
        self.is_waiting = any(each.state == State.PROPOSED for each in made)
        # Some models refuse their calls without the reasoning that led to them.
        reasoning = use.task.reasoning[self._reasoning_read :].strip()
        self._reasoning_read = len(use.task.reasoning)
        asked = round_messages(text_since_last_round(use), made, reasoning, self._images.of_calls)
        messages = [*self.request.messages, *with_images_after(asked)]
        if bounds.is_last_round or asyncio.get_running_loop().time() > self._ends_at:
            self.is_last = True
            messages[-1] = replace(messages[-1], content=f"{messages[-1].content}\n\n{NO_MORE}")
        # A call that a program has asked for is made once, not in each round.
        parameters = {**self.request.parameters, "tool_choice": "auto"}
        self.request = self._with_tools(
            replace(self.request, messages=messages, parameters=parameters)
        )

    async def reserve(self) -> None:
        """Reserve the next request's cost. Raise `QuotaExceeded` if no more is left."""
        granted = await self.costs.reserve(self.request)
        self.request = replace(self.request, max_tokens=granted)

    def _with_tools(self, request: CompletionRequest) -> CompletionRequest:
        tools = [*self._of_program, *self._described]
        if not tools:  # they were switched off, and providers refuse an empty list
            return request
        parameters = {"tool_choice": "auto", **request.parameters, "tools": tools}
        if self.is_last and not self._of_program:
            parameters["tool_choice"] = "none"
        elif self.is_last:
            parameters["tools"] = self._of_program
        return replace(request, parameters=parameters)

    async def _run(self, calls: Sequence[StoredToolCall]) -> AsyncGenerator[Event]:
        """Run calls side by side; yield their steps and what they found, in the order of the calls.

        A stop cancels them. What they did until then is unknown.
        """
        results = await asyncio.gather(*map(self._found, calls))
        for call, found in zip(calls, results, strict=True):
            numbered = self._numbered(found.passages)
            if call.state == State.DONE:
                call.result = self._bounds.cut(result_text(call.result, numbered))
            images = self._images.add(call, found.images)
            call.ended_at = timezone.now()
            if self._use.message_id is not None:
                owner = self._use.principal.user_id
                await threads.writer.run(store_call, call, numbered, images, owner)
            if numbered:
                yield FoundPassages(numbered)
            yield step_of(call)

    async def _found(self, call: StoredToolCall) -> ToolResult:
        """Run one call, set its result, and return what it has found; nothing if it fails."""
        tool = self._use.tools.get(call.tool)
        try:
            if tool is None:
                raise ToolFailed("This tool has been switched off.", "tool_off")
            if tool.identity != call.identity:
                raise ToolFailed(
                    "This tool has changed since the call was allowed.", "tool_changed"
                )
            arguments = tool.read_arguments(call.arguments)
            async with asyncio.timeout(None if tool.waits_for_provider else CALL_SECONDS):
                found = await tool.run(self._use.context, arguments)
        except ToolFailed as error:
            fail_call(call, error.problem, error.words)
        except TimeoutError:
            fail_call(call, "timeout", f"No answer within {CALL_SECONDS:.0f} seconds.")
        except ChatError as error:
            fail_call(call, "failed", error.public)
        except Exception:
            log.exception("a tool failed unexpectedly")
            fail_call(call, "failed", "This didn't work.")
        else:
            call.state, call.result, call.result_count = State.DONE, found.text, found.count
            return found
        return ToolResult()

    def _numbered(self, passages: Sequence[GivenPassage]) -> list[GivenPassage]:
        first = self._last_number + 1
        self._last_number += len(passages)
        return [
            structs.replace(each, number=number, is_from_tool=True)
            for number, each in enumerate(passages, first)
        ]
