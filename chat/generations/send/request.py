"""What a request for an answer says."""

import hashlib
import uuid
from typing import Annotated

import msgspec

from chat.lib.catalogue import ReasoningEffort
from chat.lib.whole_number import MAX_ID
from chat.personas.parameters import MAX_TOKENS

#: What a client says is the number of a message; the database can't be asked for a larger one.
MessageId = Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]
#: What the previous release, which may repeat a send, doesn't have.
_NEWER = {
    "site_tools": None,
    "beside": None,
    "compare_with": None,
    "is_blind": False,
    "is_by_email": False,
}


class Send(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for an answer: exactly one of `text`, `retry`, `resume` and `beside`.

    `parent` is the message that `text` follows; 0 starts another first question, None follows the
    latest message. `retry` and `resume` name an answer; `retry` may name a question that has none.
    `beside` names an answer, maybe a running one, whose question another model answers, too, for
    comparison. `compare_with` announces that for a new question: the model is then chosen by the
    place beside its answer; `is_blind` hides which of the two has written what until a vote.
    `persona` and `project` are allowed with the first message of a conversation only.
    `collections` are searched for this and later answers of the chat, and `site_tools` may be
    called; None leaves them as they are, or as the member has them in new chats.
    `reasoning_effort` and `max_tokens` replace the persona's for this answer. `page_context` is
    what a website says with a visitor's question. A visitor's message `is_by_email` is for the
    persons who are mailed about, and no model answers it.
    """

    key: str
    text: str | None = None
    parent: MessageId | None = None
    retry: MessageId | None = None
    resume: MessageId | None = None
    beside: MessageId | None = None
    model: str | None = None
    compare_with: str | None = None
    is_blind: bool = False
    persona: uuid.UUID | None = None
    project: uuid.UUID | None = None
    collections: tuple[uuid.UUID, ...] | None = None
    site_tools: tuple[str, ...] | None = None
    reasoning_effort: ReasoningEffort | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=int(MAX_TOKENS.most))] | None = None
    page_context: str = ""
    is_by_email: bool = False

    def digest(self, conversation_id: uuid.UUID | None) -> str:
        values = msgspec.to_builtins(self)
        for name, default in _NEWER.items():
            if values[name] == default:
                del values[name]
        content = msgspec.json.encode([str(conversation_id or ""), values])
        return hashlib.sha256(content).hexdigest()
