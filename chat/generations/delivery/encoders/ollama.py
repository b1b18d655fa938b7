"""Encode answers as Ollama does: a stream of lines of JSON, or one object.

A call of a tool has its arguments as an object, so it is sent when it is complete, at the end. A
stream that fails ends with a line that has an `error`, and none says `done`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Raw

from chat.generations.delivery.encoders.base import INTERRUPTED, FrameReader
from chat.generations.delivery.encoders.called_tools import NO_INPUT, object_in
from chat.generations.delivery.encoders.collected_answer import CollectedAnswer, finish_reason
from chat.generations.delivery.encoders.openai import usage
from chat.generations.delivery.encoders.streamed_calls import extra_of
from chat.lib.api_formats import ollama_errors

#: Separators of lines in Unicode, which the client for Python takes for ends of lines.
LINE_ENDS = {"\x85": rb"\u0085", "\u2028": rb"\u2028", "\u2029": rb"\u2029"}
NANOSECONDS = 1_000_000  # in a millisecond


@dataclass(frozen=True, slots=True)
class OllamaForm:
    """What the program expects: the model's name as it wrote it, and where the text belongs."""

    model: str
    is_chat: bool
    shows_thinking: bool = True

    def object(
        self, text: str = "", thinking: str = "", calls: list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        """Return an answer, or a piece of one."""
        head = {"model": self.model, "created_at": datetime.now(UTC)}
        thought = {"thinking": thinking} if thinking and self.shows_thinking else {}
        if not self.is_chat:
            return {**head, "response": text, **thought, "done": False}
        called = {"tool_calls": calls} if calls else {}
        message = {"role": "assistant", "content": text, **thought, **called}
        return {**head, "message": message, "done": False}

    def without_answer(self, reason: str) -> dict[str, Any]:
        """Return the object for a request that only loads or unloads a model."""
        return self.object() | {"done": True, "done_reason": reason}


class OllamaEncoder:
    """Encode the stream."""

    content_type = "application/x-ndjson"

    def __init__(self, generation_id: UUID, form: OllamaForm) -> None:
        self.headers: dict[str, str] = {}
        self._reader = FrameReader()
        self._generation_id, self._form = generation_id, form

    def opening(self, after: int, frames: bytes) -> bytes:
        return self.frames(frames)

    def frames(self, frames: bytes) -> bytes:
        return b"".join(
            self._lines(payload)
            for _seq, payload in self._reader.read(frames)
            if payload is not None
        )

    def heartbeat(self) -> bytes:
        """Return an empty piece, because the format has no comments; none after the end."""
        return _line(self._form.object()) if self._reader.is_truncated else b""

    def closing(self) -> bytes:
        return self._failure(INTERRUPTED) if self._reader.is_truncated else b""

    def _lines(self, payload: dict[str, Any]) -> bytes:
        if error := payload.get("error"):
            return self._failure(error)
        if reasoning := payload.get("reasoning"):
            shown = self._form.shows_thinking
            return _line(self._form.object(thinking=reasoning)) if shown else b""
        if payload["response"]:
            return _line(self._form.object(payload["response"]))
        return self._terminal(payload) if "state" in payload else b""

    def _terminal(self, payload: dict[str, Any]) -> bytes:
        if finish_reason(payload) is None:
            return b""
        calls = _calls(payload, self._generation_id)
        called = _line(self._form.object(calls=calls)) if calls else b""
        return called + _line(self._form.object() | _ending(payload))

    def _failure(self, error: dict[str, Any]) -> bytes:
        return _line(ollama_errors.streamed_object(error))


class OllamaAnswer(CollectedAnswer):
    """Collect the frames of an answer into one object."""

    def __init__(self, generation_id: UUID, form: OllamaForm) -> None:
        super().__init__()
        self._generation_id, self._form = generation_id, form

    def body(self) -> dict[str, Any]:
        calls = _calls(self.last, self._generation_id)
        return self._form.object(self.text, self.reasoning, calls) | _ending(self.last)


def _calls(last: dict[str, Any], generation_id: UUID) -> list[dict[str, Any]]:
    """Return the tool calls of the terminal payload `last`, without one that was cut.

    Programs don't look why an answer ended before they run what it calls.
    """
    is_cut = finish_reason(last) == "length"
    calls = []
    for number, call in enumerate(last.get("tool_calls", ())):
        arguments = object_in(call["arguments"])
        if arguments is None and is_cut:
            continue
        function = {"index": number, "name": call["name"], "arguments": _on_one_line(arguments)}
        call_id = f"call_{generation_id.hex[:24]}_{number}"
        calls.append({"id": call_id, "function": function, **extra_of(call)})
    return calls


def _on_one_line(arguments: Raw | None) -> Raw:
    return Raw(msgspec.json.format(arguments, indent=-1)) if arguments else NO_INPUT


def _ending(last: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the end. To load a model takes no time here."""
    reason = "length" if finish_reason(last) == "length" else "stop"
    ended: dict[str, Any] = {"done": True, "done_reason": reason}
    counted = usage(last) or {}
    if counted:
        ended["prompt_eval_count"] = counted["prompt_tokens"]
        ended["eval_count"] = counted["completion_tokens"]
    if timing := last.get("timing"):
        total = timing["milliseconds"]
        first = timing.get("first_token_milliseconds", total)
        ended |= {
            "total_duration": total * NANOSECONDS,
            "load_duration": 0,
            "prompt_eval_duration": first * NANOSECONDS,
            "eval_duration": max(1, total - first) * NANOSECONDS,  # programs divide by it
        }
    return ended


def _line(value: dict[str, Any]) -> bytes:
    line = msgspec.json.encode(value)
    if not line.isascii():
        for character, escape in LINE_ENDS.items():
            line = line.replace(character.encode(), escape)
    return line + b"\n"
