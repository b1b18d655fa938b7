"""Play a script to one client, in the format it expects and at the pace of a model."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Literal

from chat.emulator.common import tokens
from chat.emulator.common.faults import Break, Refusal, StreamReset, envelope
from chat.emulator.common.usage import Meter
from chat.emulator.scripts.script import Script, think_tags
from chat.emulator.shapes.base import Chunk, Completion, Shape, ToolCall, thinking_part, usage_tail

Voice = Literal["text", "reasoning", "refusal"]  # methods of `Shape`

KEEP_ALIVE_SECONDS = 1.0
DONE = b"data: [DONE]\n\n"
KEEP_ALIVE = b": keep-alive\n\n"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Pace:
    """Determine when the next token is due. A rate of 0 is as fast as the reader accepts them."""

    def __init__(self, tokens_per_second: float, first_token_seconds: float) -> None:
        self._seconds_per_token = 1 / tokens_per_second if tokens_per_second else 0.0
        self._first_token_seconds = first_token_seconds if tokens_per_second else 0.0
        self._due: float | None = None

    async def wait(self, token_count: int = 1) -> None:
        """Wait for as long as generating `token_count` more tokens takes."""
        now = asyncio.get_running_loop().time()
        if self._due is None:
            self._due = now + self._first_token_seconds - self._seconds_per_token
        self._due += token_count * self._seconds_per_token
        await asyncio.sleep(max(0.0, self._due - now))


@dataclass(slots=True)
class Player:
    """One answer being sent to one client."""

    script: Script
    shape: Shape
    meter: Meter
    max_tokens: int
    pace: Pace
    request_id: str
    seed: int = 0
    others: tuple[Script, ...] = ()  # further answers, if several were requested
    _counted_before: int = 0  # tokens of earlier answers

    def stream(self) -> AsyncGenerator[bytes, None]:
        """Return the events of a streamed answer, one at a time."""
        events = self._odd_events() if self.script.payloads else self._events()
        return _byte_by_byte(events) if self.script.byte_by_byte else events

    def document(self) -> Chunk:
        """Return the complete answer as one document."""
        return self.shape.document([self._completion() for _ in self._each_script()])

    def _completion(self) -> Completion:
        """Return the complete answer, and count its tokens."""
        spoken, call = list(self._spoken()), self._tool_call()
        call_tokens = call.token_count if call else 0
        self.meter.take(len(spoken) + self.script.hidden_tokens + call_tokens)
        reasoning = _spoken_as(spoken, "reasoning")
        value = self.script.value if self._says_value else _spoken_as(spoken, "text")
        if self._has_parts:
            value, reasoning = [thinking_part(reasoning), {"type": "text", "text": value}], ""
        return Completion(
            text=value,
            reasoning=reasoning,
            refusal=_spoken_as(spoken, "refusal"),
            tool_call=call,
            finish_reason=self._finish_reason(),
        )

    async def document_body(self, body: bytes) -> AsyncGenerator[bytes, None]:
        """Yield the encoded document when it is due. A break leaves part of it, or nothing."""
        await self.pace.wait(self.meter.completion_tokens)
        match self.script.break_kind:
            case Break.STALL | Break.COMMENTS:
                await _silence()
            case Break.RESET:
                raise StreamReset
            case Break.CUT:
                yield body[: len(body) // 2]
            case _:
                yield body

    def _each_script(self) -> Iterator[Script]:
        """Make each requested answer the current one, in turn."""
        for number, script in enumerate((self.script, *self.others)):
            self.script, self.shape.choice = script, number
            self._counted_before = self.meter.completion_tokens
            yield script

    @property
    def _spoken_tokens(self) -> int:
        return self.meter.completion_tokens - self._counted_before

    async def _events(self) -> AsyncGenerator[bytes, None]:
        for _ in self._each_script():
            for chunks in self._beats():
                await self.pace.wait()
                for chunk in chunks:
                    yield encode_event(chunk)
            if self._breaks_here():
                async with aclosing(self._break()) as events:
                    async for event in events:
                        yield event
                return
            yield encode_event(self.shape.closing(self._finish_reason()))
        for chunk in self.shape.tail():
            yield encode_event(chunk)
        yield DONE

    def _beats(self) -> Iterator[list[Chunk]]:
        """Yield the chunks to send at each token. The opening is sent with the first."""
        opening = self.shape.opening()
        if self.script.whole_message:
            yield [*opening, *self.shape.message(self._completion())]
            return
        say = {"text": self._say_text, "reasoning": self._say_reasoning}
        say["refusal"] = self.shape.refusal
        for token, voice in self._spoken():
            yield [*opening, say[voice](token)]
            opening = []
        if call := self._tool_call():
            yield [*opening, *self.shape.tool_call(call)]
        if self.script.hidden_tokens:
            self.meter.take(self.script.hidden_tokens)
            yield opening

    def _say_text(self, token: Any) -> Chunk:
        return self.shape.text([{"type": "text", "text": token}] if self._has_parts else token)

    def _say_reasoning(self, token: str) -> Chunk:
        if not self._has_parts:
            return self.shape.reasoning(token)
        return self.shape.text([thinking_part(token)])

    @property
    def _has_parts(self) -> bool:
        """Return whether content is a list, which no native model sends."""
        return self.script.has_parts and self.meter.model.family == "openai"

    def _spoken(self) -> Iterator[tuple[Any, Voice]]:
        """Yield the tokens, each with its voice, up to the limit or the break."""
        limit = self.max_tokens
        if self.script.break_kind:
            limit = min(limit, self.script.break_after)
        reasoning, text = self.script.reasoning, self.script.text
        if reasoning and self.meter.model.reasoning_style == "inline_think":
            reasoning, text = "", chain([think_tags(reasoning)], text)
        return islice(
            chain(
                self._tokens([reasoning], "reasoning"),
                self._tokens([self.script.refusal], "refusal"),
                [(self.script.value, "text")] if self._says_value else [],
                self._tokens(text, "text"),
            ),
            limit,
        )

    def _tool_call(self) -> ToolCall | None:
        """Return the call of the script, cut where the limit is reached."""
        call = self.script.tool_call
        if call is None:
            return None
        written = list(tokens.split(call.text, self.seed))
        left = max(0, self.max_tokens - self._spoken_tokens - 1)
        if len(written) > left:
            call = replace(call, length=len("".join(written[:left])))
            self.script = replace(self.script, tool_call=call)
        return call

    def _tokens(self, parts: Iterable[str], voice: Voice) -> Iterator[tuple[str, Voice]]:
        return ((token, voice) for part in parts for token in tokens.split(part, self.seed))

    @property
    def _says_value(self) -> bool:
        return self.script.value is not None

    def _breaks_here(self) -> bool:
        is_due = self._spoken_tokens >= self.script.break_after
        return self.script.break_kind is not None and is_due

    async def _break(self) -> AsyncGenerator[bytes, None]:
        match self.script.break_kind:
            case Break.ERROR:
                yield encode_event(envelope(Refusal("8005"), self.request_id))
            case Break.STALL:
                await _silence()
            case Break.COMMENTS:
                while True:
                    yield KEEP_ALIVE
                    await asyncio.sleep(KEEP_ALIVE_SECONDS)
            case Break.RESET:
                raise StreamReset

    def _finish_reason(self) -> str:
        if self.script.tool_call:
            return "length" if self.script.tool_call.is_cut else "tool_calls"
        if self.script.finish_reason:
            return self.script.finish_reason
        # The end of the turn is a token too: without one left for it, the answer was cut off.
        return "length" if self._spoken_tokens >= self.max_tokens else "stop"

    async def _odd_events(self) -> AsyncGenerator[bytes, None]:
        for payloads in self.script.payloads:
            await self.pace.wait()
            self.meter.take()
            for payload in payloads:
                yield f"data: {payload}\n\n".encode()
        yield encode_event(usage_tail(self.meter))
        yield encode_event({"choices": [], "usage": self.meter.nothing()})
        yield DONE
        yield encode_event({"response": " Nobody may read this."})
        yield DONE


def _spoken_as(spoken: list[tuple[Any, Voice]], voice: Voice) -> str:
    return "".join(token for token, its_voice in spoken if its_voice == voice)


def encode_json(document: Any) -> bytes:
    # A request may quote a lone surrogate, which UTF-8 cannot encode.
    return _encode(document).encode("utf-8", "replace")


def encode_event(document: Any) -> bytes:
    """Return the document as one server-sent event."""
    return b"data: " + encode_json(document) + b"\n\n"


async def _byte_by_byte(events: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        async for event in events:
            for byte in event:
                yield bytes([byte])
                await asyncio.sleep(0)  # otherwise the server would send them together


async def _silence() -> None:
    await asyncio.Event().wait()
