"""The events that make up an answer, whatever dialect it arrived in.

Text, reasoning and tool calls are relayed as they arrive; everything else is known at the end and
is part of `Finished`, as are the complete tool calls. There is one object per token: a msgspec
struct is created in a tenth of the time of a dataclass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from msgspec import Struct

from chat.upstream.finish_reasons import FinishReason


class Text(Struct, frozen=True, gc=False):
    """A piece of the answer: valid Unicode without NUL, never empty."""

    text: str


class Reasoning(Struct, frozen=True, gc=False):
    """A piece of the reasoning that precedes the answer."""

    text: str


class ToolCallPiece(Struct, frozen=True, gc=False):
    """A piece of a tool call: the name is in the first one of its index, and only there.

    `extra_content` is what the provider needs back with the call, such as Gemini's signatures.
    """

    index: int
    name: str
    arguments: str
    extra_content: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """Return all that the piece says, of which the length counts."""
        return self.name + self.arguments


class LogProb(Struct, frozen=True, gc=False):
    """How likely a token of the text that follows was: an item of OpenAI's list, as JSON."""

    text: str


class Sources(Struct, frozen=True, gc=False):
    """The numbered passages of documents that the answer may cite, as the page shows them.

    `is_unanswered` if none is about the question, and the answer says so.
    """

    passages: Sequence[Mapping[str, Any]]
    is_unanswered: bool = False


class FoundPassages(Struct, frozen=True, gc=False):
    """Passages that a tool has found, which the answer may cite from here on."""

    passages: Sequence[Any]  # GivenPassage, which is above this layer


class ToolStep(Struct, frozen=True, gc=False):
    """What has become of a tool's call: see `StoredToolCall` of the conversations."""

    id: str
    tool: str
    state: str
    arguments: str
    count: int | None = None
    problem: str = ""
    title: str | None = None  # for people, if the tool is a server's
    was_allowed: bool | None = None  # by a person who was asked
    images: Sequence[str] | None = None  # the digests of those that are part of the answer


@dataclass(frozen=True, slots=True)
class AnswerOpened:
    """The provider accepted the request: which model answers, and how much history was left out."""

    model: str
    omitted_messages: int = 0
    instead_of: str = ""  # the requested model, if the fallback answers
    gateway_log_id: str = ""
    gateway_cache_status: str = ""
    routed_to: str = ""  # the model that a route of AI Gateway chose


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them, and neurons (its unit of cost) if it reports them.

    `cached_tokens` are the prompt tokens that came from the provider's cache, at a lower price.
    `reasoning_tokens` are part of the completion tokens.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    neurons: float | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum; what is unknown of both is unknown."""
        sums: list[Any] = [
            None if one is None and two is None else (one or 0) + (two or 0)
            for one, two in zip(astuple(self), astuple(other), strict=True)
        ]
        return Usage(*sums)


@dataclass(slots=True)
class ToolCall:
    """A tool call that the model requests. `arguments` is JSON text, complete only at the end."""

    index: int
    id: str | None = None
    name: str = ""
    arguments: str = ""
    extra_content: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer that did not fail.

    `complete` is False if the connection ended with neither `[DONE]` nor a finish reason, the only
    two proofs that an answer is complete.
    """

    complete: bool
    finish_reason: FinishReason | None = None
    usage: Usage | None = None
    tool_calls: list[ToolCall] = field(default_factory=list)
    reasoning_name: str = ""  # the provider's field for reasoning


Piece = Text | Reasoning | ToolCallPiece | LogProb
Event = Piece | Sources | FoundPassages | ToolStep | AnswerOpened | Finished
