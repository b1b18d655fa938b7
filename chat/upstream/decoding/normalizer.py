"""Convert server-sent events into pieces of an answer. Pure; one normalizer per answer.

Every chunk is examined individually, because one stream mixes dialects: native `{"response": …}`,
OpenAI's `{"choices": [{"delta": …}]}`, both at once with the same text, Responses events, complete
messages and envelopes. Some cases need care: text arrives as bare numbers and booleans whose
spelling must survive (`007`, `1.50`), or as an object (JSON mode); surrogate pairs are split; usage
comes as increments, running totals or one final object. Nothing is trimmed, and no falsy value is
dropped: `0` and `" "` are text.
"""

from collections.abc import Iterator

from msgspec import Raw

from chat.lib.sse import Event as SseEvent
from chat.upstream.chunks import (
    Choice,
    Chunk,
    ChunkMessage,
    FinishObject,
    GroqDetails,
    NotJson,
    ResponsesResult,
    chunks_of,
    decode_chunk,
    first_choice,
    first_given,
    object_of,
    text_of,
    unwrap,
    value_of,
    word_of,
)
from chat.upstream.decoding.characters import CharacterJoiner
from chat.upstream.decoding.log_probs import LogProbs
from chat.upstream.decoding.message_parts import reasoning_and_text, reasoning_name
from chat.upstream.decoding.token_chunks import name_of_reasoning, texts_of, token_chunk
from chat.upstream.decoding.tool_calls import ToolCalls
from chat.upstream.decoding.usage import UsageCount
from chat.upstream.decoding.whole_messages import WholeText
from chat.upstream.errors import ReportedError, ended_in_error, reported_error
from chat.upstream.events import Finished, LogProb, Piece, Reasoning, Text, ToolCall
from chat.upstream.finish_reasons import FinishReason, is_known_error, is_reason, outcome_of
from chat.upstream.think_tags import ThinkSplitter

DONE = "[DONE]"


class Normalizer:
    """Feed it events; check `done` and `refusal` after each step, call `finished()` at the end."""

    def __init__(self, *, starts_in_reasoning: bool = False, has_log_probs: bool = False) -> None:
        self.done = False
        self.refusal: ReportedError | None = None
        self.finish_reason: FinishReason | None = None
        self.malformed = 0
        self.unknown = 0
        self._usage = UsageCount()
        self._tools = ToolCalls()
        self._has_deltas = False
        self._whole_reasoning, self._whole_text = WholeText(), WholeText()
        self._text, self._reasoning = CharacterJoiner(), CharacterJoiner()
        self._tags: ThinkSplitter | None = ThinkSplitter(starts_open=starts_in_reasoning)
        self._log_probs = LogProbs() if has_log_probs else None
        self._reasoning_name = ""
        self._is_plain = False  # nothing is held back, and no tag can come

    def feed_token(self, event: SseEvent) -> list[Piece] | None:
        """Read `event` on the fast path if it is a plain token; return None if it needs `feed`."""
        if event.event != "message" or self.done or self.refusal or self._log_probs:
            return None
        chunk = token_chunk(event.data)
        if chunk is None:
            return None
        if chunk.usage:
            self._usage.add(value_of(chunk.usage), is_tail=not chunk.choices)
        reasoning, text = texts_of(chunk)
        if not (reasoning or text):
            return []
        self._has_deltas = True
        if not reasoning and self._is_plain and text.isascii() and "\0" not in text:
            return [Text(text)]
        if reasoning and not self._reasoning_name:
            self._reasoning_name = name_of_reasoning(chunk)
        return self._pieces(reasoning, text)

    def feed(self, event: SseEvent) -> Iterator[list[Piece]]:
        """Read `event` in bounded steps; yield the pieces that each step finds.

        Events after the end or an error are ignored. Raise `AnswerTooLong` for too many tool calls.
        """
        data = event.data.strip()
        if not data or self.done or self.refusal:
            return
        if data == DONE:
            self.done = True
            return
        try:
            chunk = decode_chunk(data)
        except NotJson:
            yield from self._lines(data, event.event)
        else:
            yield from self._object(chunk, event.event)

    def feed_unterminated(self, event: SseEvent | None) -> Iterator[list[Piece]]:
        """Read an event that the stream ended without its blank line, if it is complete."""
        if event is None:
            return
        try:
            is_whole = event.data.strip() == DONE or decode_chunk(event.data) is not None
        except NotJson:
            return
        if is_whole:
            yield from self.feed(event)

    def document(self, chunk: Chunk) -> list[Piece]:
        """Read an answer sent as one JSON document, with or without its envelope.

        `done` stays False if it contains no answer.
        """
        self.refusal = reported_error(chunk, "message")
        answer = unwrap(chunk)
        if self.refusal or not (answer.response or answer.choices or answer.tool_calls):
            return []
        self.done = True
        return self._chunk(answer)

    def finished(self) -> tuple[list[Piece], Finished]:
        """Return the last pieces, if some were held back, and how the answer ended."""
        thought, text = self._reasoning.rest(), self._text.rest()
        held: list[Piece] = [Reasoning(thought)] if thought else []
        held += self._split(text) if text else []
        if self._tags:
            has_ended = self.finish_reason in {"stop", "tool_calls"} and not self.tool_calls
            held += self._tags.finish(has_ended=has_ended)
        return held, Finished(
            complete=self.done or self.finish_reason is not None,
            # Workers AI's own format has no reasons, and a half call must not be run.
            finish_reason=self.finish_reason or ("length" if self._tools.are_cut else None),
            usage=self._usage.total(),
            tool_calls=self.tool_calls,
            reasoning_name=self._reasoning_name,
        )

    @property
    def tool_calls(self) -> list[ToolCall]:
        return self._tools.calls()

    def _lines(self, data: str, event_name: str) -> Iterator[list[Piece]]:
        """Read an event with one object per line: the sender omitted the blank lines."""
        lines = [line for each in data.split("\n") if (line := each.strip())]
        objects: list[Chunk | None] = []
        for line in lines:
            yield []
            if line == DONE:
                continue
            try:
                objects.append(decode_chunk(line))
            except NotJson:
                objects.clear()
                break
        if not objects or len(lines) == 1:
            self.malformed += 1
            return
        for each in objects:
            yield from self._object(each, event_name)
        self.done = DONE in lines

    def _object(self, chunk: Chunk | None, event_name: str) -> Iterator[list[Piece]]:
        if chunk is None:
            self.unknown += 1
            return
        for each in chunks_of(chunk.streamed_data) or [chunk]:
            self.refusal = self.refusal or reported_error(each, event_name)
            yield [] if self.refusal else self._chunk(unwrap(each))

    def _chunk(self, chunk: Chunk) -> list[Piece]:
        kind = word_of(chunk.type)
        if kind.startswith("response."):
            return self._responses_event(kind, chunk)
        choice = first_choice(chunk.choices)
        delta = object_of(choice.delta, ChunkMessage) or ChunkMessage()
        self.unknown += not any(
            (chunk.response, chunk.choices, chunk.tool_calls, chunk.usage, chunk.finish_reason)
        )
        self._usage.add(value_of(_usage(chunk, choice)), is_tail=not chunk.choices)
        self._finish(choice, chunk.finish_reason)
        tools = first_given(delta.tool_calls, chunk.tool_calls)
        reasoning, text = reasoning_and_text(delta)
        text = text or text_of(chunk.response)
        self._reasoning_name = self._reasoning_name or reasoning_name(delta)
        message = object_of(first_given(choice.message, chunk.message), ChunkMessage)
        if message and not (reasoning or text or self._has_deltas):
            tools = first_given(message.tool_calls, tools)
            reasoning, text = reasoning_and_text(message)
            self._reasoning_name = reasoning_name(message)
            reasoning = self._whole_reasoning.added_text(reasoning)
            text = self._whole_text.added_text(text)
            return [*self._probable(choice), *self._all_pieces(reasoning, text, tools)]
        pieces = [*self._probable(choice), *self._all_pieces(reasoning, text, tools)]
        self._has_deltas = self._has_deltas or bool(reasoning or text or pieces)
        return pieces

    def _all_pieces(self, reasoning: str, text: str, tools: Raw) -> list[Piece]:
        return [*self._pieces(reasoning, text), *self._tools.add(tools)]

    def _probable(self, choice: Choice) -> list[LogProb]:
        return self._log_probs.read(choice.logprobs) if self._log_probs else []

    def _finish(self, choice: Choice, whole: Raw) -> None:
        """Take the finish reason, if there is one. An unsuccessful one is an error."""
        word = _reason(choice.finish_reason) or _reason(whole)
        if word:
            self.finish_reason = outcome_of(word)
        native = word_of(choice.native_finish_reason)
        if (word and not self.finish_reason) or is_known_error(native):
            self.refusal = ended_in_error(native or word)

    def _responses_event(self, kind: str, chunk: Chunk) -> list[Piece]:
        if kind in {"response.output_text.delta", "response.refusal.delta"}:
            return self._pieces("", text_of(chunk.delta))
        if kind == "response.reasoning_text.delta":
            return self._pieces(text_of(chunk.delta), "")
        if kind in {"response.completed", "response.incomplete"}:
            result = object_of(chunk.response, ResponsesResult) or ResponsesResult()
            self._usage.add(value_of(result.usage), is_tail=True)
            why = value_of(result.incomplete_details)
            reason = str(why.get("reason")) if isinstance(why, dict) else "length"
            self.finish_reason = outcome_of(reason) if kind == "response.incomplete" else "stop"
            self.done = True
        return []

    def _pieces(self, reasoning: str, text: str) -> list[Piece]:
        pieces: list[Piece] = []
        if reasoning and (reasoning := self._reasoning.feed(reasoning)):
            pieces.append(Reasoning(reasoning))
        if text and (text := self._text.feed(text)):
            pieces += self._split(text)
        self._is_plain = not (self._tags or self._text.is_waiting)
        return pieces

    def _split(self, text: str) -> list[Piece]:
        """Return `text` as pieces, some of which may be reasoning between tags."""
        if self._tags is None:
            return [Text(text)]
        pieces = self._tags.feed(text)
        if self._tags.is_settled:
            self._tags = None
        return pieces


def _usage(chunk: Chunk, choice: Choice) -> Raw:
    """Return the usage: in its usual place, or where Moonshot or Groq have it."""
    groq = object_of(chunk.x_groq, GroqDetails) or GroqDetails()
    return first_given(chunk.usage, choice.usage, groq.usage)


def _reason(raw: Raw) -> str:
    """Return a finish reason, which is a word or SGLang's object; empty if there is none."""
    nested = object_of(raw, FinishObject)
    word = word_of(nested.type if nested else raw)
    return word if is_reason(word) else ""
