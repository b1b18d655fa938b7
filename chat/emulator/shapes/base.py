"""Define the interface of the JSON formats in which Workers AI sends answers.

`/ai/run` answers in the format of the model's family: native (`response`), openai (`choices`), or
dual (native, but both in one chunk when tools are offered). `/ai/v1/chat/completions` always
answers in OpenAI's format, and only there are clients strict: no object without `choices`, no
padding.
"""

import json
import random
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from chat.emulator.common import tokens
from chat.emulator.common.usage import Meter
from chat.lib.catalogue import Model

Chunk = dict[str, Any]

MAX_PADDING_CHARS = 50
_PADDING_ALPHABET = string.ascii_lowercase + string.digits


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: dict[str, Any]
    length: int | None = None  # of the arguments as text, if they are cut

    @property
    def text(self) -> str:
        """Return the arguments as text, as far as they are written."""
        return json.dumps(self.arguments)[: self.length]

    @property
    def token_count(self) -> int:
        return 1 + tokens.count(self.text)  # the name is one

    @property
    def is_cut(self) -> bool:
        return self.length is not None

    def argument_pieces(self) -> tuple[str, str]:
        """Return the arguments' JSON in two parts, as it arrives in a stream."""
        return self.text[: len(self.text) // 2], self.text[len(self.text) // 2 :]


@dataclass(frozen=True, slots=True)
class Completion:
    """A complete answer, for clients that do not stream."""

    text: Any  # a string, or any JSON value that replaces it
    reasoning: str
    refusal: str
    tool_call: ToolCall | None
    finish_reason: str


class Shape(Protocol):
    """The format of a model's answers on one endpoint. `text` takes a token or any JSON value.

    `choice` is the number of the answer being sent, if several were requested. `closing` ends it;
    what follows the last one is the `tail`.
    """

    choice: int

    def opening(self) -> list[Chunk]: ...
    def text(self, token: Any) -> Chunk: ...
    def reasoning(self, token: str) -> Chunk: ...
    def refusal(self, token: str) -> Chunk: ...
    def message(self, completion: Completion) -> list[Chunk]: ...
    def tool_call(self, call: ToolCall) -> list[Chunk]: ...
    def closing(self, finish_reason: str) -> Chunk: ...
    def tail(self) -> list[Chunk]: ...
    def document(self, completions: Sequence[Completion]) -> Chunk: ...


def usage_tail(meter: Meter) -> Chunk:
    """Return the object that ends streams on /ai/run. It has no `choices` for any model."""
    return {"response": "", "usage": meter.total()}


def padding(rng: random.Random) -> str:
    """Return noise that hides a token's length from observers of encrypted traffic."""
    return "".join(rng.choices(_PADDING_ALPHABET, k=rng.randint(0, MAX_PADDING_CHARS)))


def reasoning_of(model: Model, text: str) -> Chunk:
    both = {"reasoning": text} if model.reasoning_style == "both" else {}
    return {"reasoning_content": text, **both}


def thinking_part(text: str) -> Chunk:
    """Return reasoning as Mistral's models send it, in a list of parts."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def openai_call(call: ToolCall) -> Chunk:
    function = {"name": call.name, "arguments": call.text}
    return {"id": call.id, "type": "function", "function": function}


def envelope(result: Chunk) -> Chunk:
    return {"result": result, "success": True, "errors": [], "messages": []}
