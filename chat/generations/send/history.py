"""Load the messages before the one that the model is to answer.

They are loaded before a send is stored: a branch may be long, and the database writer is shared.
"""

from dataclasses import dataclass, field, replace

from chat.conversations import paths, turns
from chat.conversations.images.prompt_images import limited, with_images
from chat.conversations.models import Message as StoredMessage
from chat.conversations.page_context import question_with_context
from chat.conversations.prompt import PromptMessage
from chat.conversations.sources import sources

CONTINUE = "Continue exactly where you stopped, without repeating or announcing anything."


@dataclass(frozen=True, slots=True)
class History:
    """The messages of a branch down to the message `last_id`; empty if that is None."""

    last_id: int | None = None
    messages: list[PromptMessage] = field(default_factory=list)
    omitted_messages: int = 0  # older ones that were not loaded

    def with_last(
        self, message: StoredMessage, user_id: int, *, reads_images: bool
    ) -> list[PromptMessage]:
        """Return the messages that a model reads, with notes in place of images it can't read.

        If the last message is its own answer, it is asked to continue.
        """
        (last,) = with_images(user_id, [PromptMessage(message.role, message.text)])
        text = question_with_context(last.content, message.page_context)
        is_answer = message.role == StoredMessage.Role.ASSISTANT
        to_continue = [PromptMessage("user", CONTINUE)] if is_answer else []
        messages = [*self.messages, *_read([replace(last, content=text)]), *to_continue]
        return limited(messages) if reads_images else [each.without_images() for each in messages]


def history_to(last_id: int | None, most_characters: int, user_id: int, *, cites: bool) -> History:
    """Return the newest messages of the user's branch, up to `most_characters` in total.

    If the answer `cites` passages, earlier answers are without citations, because the numbers are
    others in each answer.
    """
    if last_id is None:
        return History()
    ids = paths.ids_to(last_id)
    newest = turns.newest_ids(ids, most_characters, and_one=True)
    texts = turns.texts_of(newest)
    if cites:
        texts = sources.without_citations(newest, texts)
    messages = [PromptMessage(role, text) for role, text in texts]
    return History(last_id, _read(with_images(user_id, messages)), len(ids) - len(newest))


def _read(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages without the questions that staff have hidden."""
    return [
        each
        for each in messages
        if each.content or each.images or each.role == StoredMessage.Role.ASSISTANT
    ]
