"""Encode answers as OpenAI chat completions: a stream of chunks, or one complete object.

Clients are strict about the first and the last chunk: each has an id, `created` and a model, the
first one a role, the last one a finish reason. A failure after the first byte is an event with an
`error`, and no finish reason follows it.
"""

import time
from typing import Any
from uuid import UUID

from msgspec import Raw

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader, event
from chat.generations.delivery.encoders.called_tools import FUNCTIONS, ToolForms
from chat.generations.delivery.encoders.chat_calls import (
    ChatCallDeltas,
    calls_of_message,
    reason_in_form,
    tool_calls,
)
from chat.generations.delivery.encoders.collected_answer import CollectedAnswer, finish_reason
from chat.generations.delivery.encoders.streamed_calls import CallDelta, StreamedCalls
from chat.generations.log.frames import DONE
from chat.lib.api_formats.openai_errors import error_body
from chat.lib.sse import comment, frame

USAGE_DETAILS = {
    "prompt_tokens_details": "cached_tokens",
    "completion_tokens_details": "reasoning_tokens",
}


class OpenAIEncoder:
    """Encode the stream. `include_usage` is the request's `stream_options.include_usage`."""

    content_type = "text/event-stream"

    def __init__(
        self,
        generation_id: UUID,
        model: str,
        *,
        include_usage: bool = False,
        tools: ToolForms = FUNCTIONS,
    ) -> None:
        self.headers: dict[str, str] = {}
        self._reader = FrameReader()
        self._include_usage = include_usage
        self._calls = StreamedCalls(generation_id)
        self._tools, self._deltas = tools, ChatCallDeltas(tools)
        self._log_probs: list[Raw] = []  # of the text that comes next
        self._head = {
            "id": f"chatcmpl-{generation_id.hex}",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": model,
        }

    def opening(self, after: int, frames: bytes) -> bytes:
        return self._chunk({"role": "assistant", "content": ""}) + self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(
            frame(DONE) if payload is None else self._events(payload)
            for _seq, payload in self._reader.read(frames)
        )

    def heartbeat(self) -> bytes:
        return comment()

    def closing(self) -> bytes:
        return self.error_event(INTERRUPTED) if self._reader.is_truncated else b""

    def error_event(self, error: dict[str, Any]) -> bytes:
        """Encode an error that ends the stream."""
        code, message = error["code"], error["message"]
        return event(error_body(code, message, retryable=error["retryable"]))

    def _events(self, payload: dict[str, Any]) -> bytes:
        if error := payload.get("error"):
            return self.error_event(error)
        if reasoning := payload.get("reasoning"):
            return self._chunk({"reasoning_content": reasoning})
        if call := payload.get("tool_call"):
            return self._tool_call(self._calls.piece(call))
        if payload["response"]:
            return self._chunk({"content": payload["response"]})
        if log_prob := payload.get("logprob"):
            self._log_probs.append(log_prob)
        return self._terminal(payload) if "state" in payload else b""

    def _terminal(self, payload: dict[str, Any]) -> bytes:
        reason = finish_reason(payload)
        if reason is None:
            return b""
        calls = b"".join(map(self._tool_call, self._calls.rest(payload)))
        calls += b"".join(map(self._chunk, self._deltas.end()))
        last = calls + self._chunk({}, reason_in_form(reason, self._tools))
        if self._include_usage and (counted := usage(payload)):
            last += event({**self._head, "choices": [], "usage": counted})
        return last

    def _tool_call(self, call: CallDelta) -> bytes:
        return b"".join(map(self._chunk, self._deltas.piece(call)))

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        log_probs = None
        if self._log_probs and ("content" in delta or finish_reason):
            log_probs = log_probs_object(self._log_probs)
            self._log_probs = []
        choice = {"index": 0, "delta": delta, "logprobs": log_probs, "finish_reason": finish_reason}
        return event({**self._head, "choices": [choice]})


class OpenAICompletion(CollectedAnswer):
    """Collect the frames of an answer into one chat completion."""

    def __init__(self, generation_id: UUID, model: str, tools: ToolForms = FUNCTIONS) -> None:
        super().__init__()
        self._tools = tools
        self._id, self._model = f"chatcmpl-{generation_id.hex}", model
        self._generation_id = generation_id
        self._created = int(time.time())

    def body(self) -> dict[str, Any]:
        content = self.text
        message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None}
        if calls := tool_calls(self.last, self._generation_id, self._tools):
            message |= {"content": content or None, **calls_of_message(calls, self._tools)}
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        choice = {
            "index": 0,
            "message": message,
            "logprobs": log_probs_object(self.log_probs) if self.log_probs else None,
            "finish_reason": reason_in_form(finish_reason(self.last), self._tools),
        }
        counted = usage(self.last)
        return {
            "id": self._id,
            "object": "chat.completion",
            "created": self._created,
            "model": self._model,
            "choices": [choice],
            **({"usage": counted} if counted else {}),
        }


def log_probs_object(tokens: list[Raw]) -> dict[str, Any]:
    return {"content": tokens, "refusal": None}


def usage(last: dict[str, Any]) -> dict[str, Any] | None:
    """Return the token counts that OpenAI's clients know: the provider's, else the estimate.

    None if neither is known.
    """
    counted = last.get("usage") or last.get("estimated_usage")
    if not counted:
        return None
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    details = {
        place: {name: counted[name]} for place, name in USAGE_DETAILS.items() if name in counted
    }
    return {name: counted[name] for name in names} | details
