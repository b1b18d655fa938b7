"""Encode answers as Workers AI's native models give them on `/ai/run`.

Unlike the site's own format, there is nothing but Cloudflare's keys. A stream that fails ends with
an error and without `[DONE]`.
"""

from typing import Any
from uuid import UUID

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader, event
from chat.generations.delivery.encoders.called_tools import NO_INPUT, json_in
from chat.generations.delivery.encoders.chat_calls import tool_calls
from chat.generations.delivery.encoders.collected_answer import CollectedAnswer, finish_reason
from chat.generations.delivery.encoders.openai import usage
from chat.generations.log.frames import DONE
from chat.lib.api_formats.cloudflare_errors import streamed_error
from chat.lib.sse import comment, frame


class WorkersAIRunEncoder:
    """Encode the stream."""

    content_type = "text/event-stream"

    def __init__(self, generation_id: UUID) -> None:
        self.headers: dict[str, str] = {}
        self._reader = FrameReader()
        self._generation_id = generation_id
        self._has_failed = False

    def opening(self, after: int, frames: bytes) -> bytes:
        return self.frames(frames) or comment()

    def frames(self, frames: bytes) -> bytes:
        return b"".join(
            self._end() if payload is None else self._events(payload)
            for _seq, payload in self._reader.read(frames)
        )

    def heartbeat(self) -> bytes:
        return comment()

    def closing(self) -> bytes:
        return event(streamed_error(INTERRUPTED)) if self._reader.is_truncated else b""

    def _end(self) -> bytes:
        return b"" if self._has_failed else frame(DONE)

    def _events(self, payload: dict[str, Any]) -> bytes:
        if error := payload.get("error"):
            self._has_failed = True
            return event(streamed_error(error))
        if reasoning := payload.get("reasoning"):
            choice = {"index": 0, "delta": {"reasoning_content": reasoning}}
            return event({"choices": [choice]})
        if payload["response"]:
            return event({"response": payload["response"]})
        return self._terminal(payload) if "state" in payload else b""

    def _terminal(self, payload: dict[str, Any]) -> bytes:
        reason = finish_reason(payload)
        if reason is None:
            return b""
        calls = [
            {**call, "index": number}
            for number, call in enumerate(tool_calls(payload, self._generation_id))
        ]
        last = event({"tool_calls": calls}) if calls else b""
        return last + event({"response": "", "finish_reason": reason, "usage": usage(payload)})


class WorkersAIRunResult(CollectedAnswer):
    """Collect the frames of an answer into one result. With `is_json`, the answer is an object."""

    def __init__(self, *, is_json: bool = False) -> None:
        super().__init__()
        self._is_json = is_json

    def body(self) -> dict[str, Any]:
        message: dict[str, Any] = {"response": self._response(), "tool_calls": self._calls()}
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        return {**message, "finish_reason": finish_reason(self.last), "usage": usage(self.last)}

    def _response(self) -> Any:
        return (json_in(self.text) if self._is_json else None) or self.text

    def _calls(self) -> list[dict[str, Any]]:
        """Return the tool calls with their arguments as objects, as native models give them."""
        return [
            {"name": call["name"], "arguments": _object(call["arguments"])}
            for call in self.last.get("tool_calls", ())
        ]


def _object(arguments: str) -> Any:
    """Return the arguments as JSON, in their own spelling; as text if they are none."""
    return (json_in(arguments) or arguments) if arguments else NO_INPUT
