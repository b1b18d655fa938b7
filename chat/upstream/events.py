"""What an answer is made of, whoever's dialect it came in.

Text and reasoning are relayed as they arrive; the rest is known at the end and travels in
`Finished`. There is one object for each token: a struct is made in a tenth of a dataclass's time.
"""

from dataclasses import dataclass, field

from msgspec import Struct


class Text(Struct, frozen=True, gc=False):
    """A piece of the answer: valid Unicode, no NUL, never empty."""

    text: str


class Reasoning(Struct, frozen=True, gc=False):
    """A piece of what the model thought before it answered."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerOpened:
    """The model's side took the request: which model, how much of the history it was sent."""

    model: str
    omitted_messages: int = 0
    instead_of: str = ""  # the model that was asked for, where the fallback answers
    gateway_log_id: str = ""
    gateway_cache_status: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as counted by the model's side; neurons (its unit of cost) where it says.

    `cached_tokens` are those of the prompt that it had read before, and counts at a lower price.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    neurons: float | None = None
    cached_tokens: int | None = None


@dataclass(slots=True)
class ToolCall:
    """A call the model asks for; `arguments` is JSON text, whole only at the end."""

    index: int
    id: str | None = None
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer that did not fail.

    `complete` is False where the connection ended without `[DONE]` and without a finish reason:
    the only proof of completeness is one of these two.
    """

    complete: bool
    finish_reason: str | None = None
    usage: Usage | None = None
    tool_calls: list[ToolCall] = field(default_factory=list)


Piece = Text | Reasoning
Event = Piece | AnswerOpened | Finished
