"""Describe what the emulated model does with one request."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from chat.emulator.common.faults import Break
from chat.emulator.requests import formats, json_samples
from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts import answers
from chat.emulator.shapes.base import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the emulated model does with one request."""

    text: Iterable[str] = ()
    value: Any = None  # sent in one piece in place of text: any JSON value
    reasoning: str = ""
    refusal: str = ""
    tool_call: ToolCall | None = None
    hidden_tokens: int = 0
    cached_tokens: int = 0
    finish_reason: str = ""  # if not the usual one
    whole_message: bool = False
    has_parts: bool = False  # content is sent as lists of parts
    break_kind: Break | None = None
    break_after: int = 0
    tokens_per_second: float | None = None
    payloads: tuple[tuple[str, ...], ...] = ()
    byte_by_byte: bool = False
    document_only: bool = False


def think_tags(reasoning: str) -> str:
    """Return reasoning as models write it into the text."""
    return f"<think>\n{reasoning}\n</think>\n\n"


def in_json(request: ChatRequest, script: Script) -> Script:
    """Return the script with a JSON answer.

    Native models send the object itself, and only as a document.
    """
    question = request.last_turn[0].text if request.last_turn else ""
    schema = request.json_format
    value = json_samples.sample(schema) if schema else answers.as_object(question)
    if request.model.family != "openai":
        return replace(script, text=(), value=value, document_only=True)
    return replace(script, text=[formats.as_json(value)])
