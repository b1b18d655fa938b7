"""Load the messages before the one that the model is to answer.

They are loaded before a send is stored: a branch may be long, and the database writer is shared.
"""

from dataclasses import dataclass, field

from chat.conversations import paths, turns
from chat.conversations.models import Message as StoredMessage
from chat.conversations.page_context import question_with_context
from chat.conversations.prompt import PromptMessage


@dataclass(frozen=True, slots=True)
class History:
    """The messages of a branch down to the message `last_id`; empty if that is None."""

    last_id: int | None = None
    messages: list[PromptMessage] = field(default_factory=list)
    omitted_messages: int = 0  # older ones that were not loaded

    def with_last(self, message: StoredMessage) -> list[PromptMessage]:
        text = question_with_context(message.text, message.page_context)
        return [*self.messages, *_read([(message.role, text)])]


def history_to(last_id: int | None, most_characters: int) -> History:
    """Return the newest messages of the branch, up to `most_characters` in total."""
    if last_id is None:
        return History()
    ids = paths.ids_to(last_id)
    found = turns.newest_ids(ids, most_characters, and_one=True)
    return History(last_id, _read(turns.texts_of(found)), len(ids) - len(found))


def _read(said: list[tuple[str, str]]) -> list[PromptMessage]:
    """Return the prompt messages; questions hidden by staff are left out."""
    return [
        PromptMessage(role, text)
        for role, text in said
        if text or role == StoredMessage.Role.ASSISTANT
    ]
