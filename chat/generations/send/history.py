"""What was said before the message that a model is to answer, as it reads it.

It is loaded before a send is stored: the branch may be long, and the writer is everybody's.
"""

from dataclasses import dataclass, field

from chat.conversations import paths, turns
from chat.conversations.models import Message as StoredMessage
from chat.conversations.prompt import PromptMessage


@dataclass(frozen=True, slots=True)
class History:
    """A branch down to the message `last_id`; empty where that is None."""

    last_id: int | None = None
    messages: list[PromptMessage] = field(default_factory=list)
    omitted_messages: int = 0  # before them

    def with_last(self, message: StoredMessage) -> list[PromptMessage]:
        return [*self.messages, *_read([(message.role, message.text)])]


def history_to(last_id: int | None, most_characters: int) -> History:
    """Back to where it has so many characters: more than the model can read."""
    if last_id is None:
        return History()
    ids = paths.ids_to(last_id)
    found = turns.newest_ids(ids, most_characters, and_one=True)
    return History(last_id, _read(turns.words_of(found)), len(ids) - len(found))


def _read(said: list[tuple[str, str]]) -> list[PromptMessage]:
    """A question that the staff has hidden is left out."""
    return [
        PromptMessage(role, text)
        for role, text in said
        if text or role == StoredMessage.Role.ASSISTANT
    ]
