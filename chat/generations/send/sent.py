"""What storing a send returns, and finding what its key has already stored."""

import uuid
from dataclasses import dataclass, field

from chat.accounts.principals import Principal
from chat.conversations import access
from chat.conversations.handoff import human_handoff
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.prompt import PromptMessage
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database.prepared import PreparedQuery
from chat.errors import Conflict
from chat.generations.models import Generation
from chat.generations.send.request import Send
from chat.knowledge.given import GivenPassages
from chat.personas.settings import GenerationSettings

_with_key = PreparedQuery(
    lambda user_id, key: Generation.objects.filter(owner=user_id, send_key=key)
)


@dataclass(frozen=True, slots=True)
class Sent:
    """A stored send and its prompt. `is_new` is False for a repeated send."""

    generation: Generation
    conversation_id: uuid.UUID
    question_id: int | None
    is_new: bool
    history: list[PromptMessage]
    generation_settings: GenerationSettings = field(default_factory=GenerationSettings)
    fallback: str | None = None
    omitted_messages: int = 0  # before those of `history`
    given: GivenPassages | None = None  # of documents, in the history
    tools: tuple[str, ...] = ()
    tool_calls: list[StoredToolCall] = field(
        default_factory=list
    )  # of the answer that is continued
    collections: list[uuid.UUID] = field(default_factory=list)  # that tools may search
    pages: tuple[str, ...] = ()  # that tools may read, besides those in the prompt
    prompt_tokens: int = 0  # estimated
    max_tokens: int = 0  # the longest answer that the limits allowed
    base_text: str = ""
    base_reasoning: str = ""
    title_source: str = ""  # the first question, if the chat's title is still its beginning


def find(
    principal: Principal, conversation_id: uuid.UUID | None, send: Send
) -> Sent | HandedOffMessage | None:
    """Return what this key has already stored; raise `Conflict` if the content differs."""
    generation = _with_key.first(principal.user_id, send.key)
    if generation is None:
        return human_handoff.find(principal, conversation_id, send.key, send.text)
    if generation.send_digest != send.digest(conversation_id):
        raise Conflict
    message = generation.message
    access.conversation_of(principal.user_id, message.conversation_id)  # or raise
    return Sent(generation, message.conversation_id, message.parent_id, is_new=False, history=[])
