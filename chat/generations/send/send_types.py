"""What a request for an answer says, what is prepared for it, and what storing it returns."""

import hashlib
import uuid
from dataclasses import dataclass, field
from typing import Annotated

import msgspec

from chat.conversations.prompt import PromptMessage
from chat.generations.models import Generation
from chat.generations.send.history import History
from chat.lib.catalogue import Model, ReasoningEffort
from chat.personas.parameters import MAX_TOKENS
from chat.personas.persona_settings import GenerationSettings


class Send(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for an answer: exactly one of `text`, `retry` and `resume`.

    `parent` is the message that `text` follows; 0 starts another first question, None follows the
    latest message. `retry` and `resume` name an answer; `retry` may name a question that has none.
    `persona` and `project` are allowed with the first message of a conversation only.
    `reasoning_effort` and `max_tokens` replace the persona's for this answer. `page_context` is
    what a website says with a visitor's question.
    """

    key: str
    text: str | None = None
    parent: int | None = None
    retry: int | None = None
    resume: int | None = None
    model: str | None = None
    persona: uuid.UUID | None = None
    project: uuid.UUID | None = None
    reasoning_effort: ReasoningEffort | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=int(MAX_TOKENS.most))] | None = None
    page_context: str = ""

    def digest(self, conversation_id: uuid.UUID | None) -> str:
        content = msgspec.json.encode([str(conversation_id or ""), msgspec.to_builtins(self)])
        return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was read outside the writer: the history, the settings wanted, and those allowed."""

    history: History = field(default_factory=History)
    wanted: GenerationSettings | None = None
    model: Model | None = None
    allowed: GenerationSettings = field(default_factory=GenerationSettings)


@dataclass(frozen=True, slots=True)
class Sent:
    """A stored send and its prompt. `is_new` is False for a repeated send."""

    generation: Generation
    conversation_id: uuid.UUID
    question_id: int | None
    is_new: bool
    history: list[PromptMessage]
    generation_settings: GenerationSettings = field(default_factory=GenerationSettings)
    omitted_messages: int = 0  # before those of `history`
    max_tokens: int = 0  # the longest answer that the limits allowed
    base_text: str = ""
    base_reasoning: str = ""
