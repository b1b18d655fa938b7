"""Load the messages before the one that the model is to answer.

They are loaded before a send is stored: a branch may be long, and the database writer is shared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from chat.conversations import branches, paths, turns
from chat.conversations.images.prompt_images import limited, with_images
from chat.conversations.models import Message as StoredMessage
from chat.conversations.page_context import question_with_context
from chat.conversations.prompt import BYTES_PER_TOKEN, PromptMessage, estimate_prompt_tokens
from chat.conversations.sources import sources
from chat.conversations.summaries import summaries
from chat.conversations.summaries.prompt import with_summaries
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.send import tool_images
from chat.generations.send.tool_rounds import prompt_of
from chat.generations.send.turn import Turn

#: Messages that take less of a window never fill it, however long the answer may get.
SHORT_SHARE = 0.1
#: Of a branch, the newest: the model decides which one is used.
MAX_SUMMARIES_READ = 3
CONTINUE = "Continue exactly where you stopped, without repeating or announcing anything."


@dataclass(frozen=True, slots=True)
class History:
    """The messages of a branch, whose ids are `ids`; empty if it has none."""

    ids: Sequence[int] = ()
    messages: list[PromptMessage] = field(default_factory=list)
    omitted_messages: int = 0  # older ones that were not loaded

    def with_last(
        self,
        message: StoredMessage,
        user_id: int,
        calls: Sequence[StoredToolCall] = (),
        *,
        reads_images: bool,
    ) -> list[PromptMessage]:
        """Return the messages that a model reads, with notes in place of images it can't read.

        If the last message is its own answer, it is asked to continue, with the results of its
        `calls`; one without a word is written anew.
        """
        if calls:
            images = tool_images.of_calls(user_id, calls) if reads_images else {}
            said = tool_images.with_images_after(prompt_of(message.text, calls, images))
            to_continue = [PromptMessage("user", CONTINUE)] if said[-1].role == "assistant" else []
            messages = [*self.messages, *said, *to_continue]
            return self._as_read(messages, reads_images=reads_images)
        is_answer = message.role == StoredMessage.Role.ASSISTANT
        if is_answer and not message.text.strip():
            return self._as_read(self.messages, reads_images=reads_images)
        is_by_other = bool(_by_others([message.copied_from], user_id))
        (last,) = with_images(
            user_id, [PromptMessage(message.role, message.text, is_by_other=is_by_other)]
        )
        text = question_with_context(last.content, message.page_context)
        to_continue = [PromptMessage("user", CONTINUE)] if is_answer else []
        messages = [*self.messages, *_read([replace(last, content=text)]), *to_continue]
        return self._as_read(messages, reads_images=reads_images)

    @staticmethod
    def _as_read(messages: list[PromptMessage], *, reads_images: bool) -> list[PromptMessage]:
        return limited(messages) if reads_images else [each.without_images() for each in messages]


def history_to(turn: Turn, windows: list[int], user_id: int, *, cites: bool) -> History:
    """Return the newest messages before a turn, as far as models with these windows can read them.

    Summaries of older ones are among them, unless the messages are short for the smallest window.

    If the answer `cites` passages, earlier answers are without citations, because the numbers are
    others in each answer.
    """
    last_id = turn.asking.parent_id
    if last_id is None:
        return History()
    ids = paths.ids_to(last_id)
    newest = turns.newest_ids(ids, max(windows) * BYTES_PER_TOKEN, and_one=True)
    rows = turns.texts_of(newest)
    texts = [(role, text) for role, text, _original in rows]
    if cites:
        texts = sources.without_citations(newest, texts)
    originals = [original for _role, _text, original in rows]
    by_others = _by_others(originals, user_id)
    said = [
        PromptMessage(role, text, is_by_other=original in by_others)
        for (role, text), original in zip(texts, originals, strict=True)
    ]
    messages = with_images(user_id, said)
    is_short = estimate_prompt_tokens(messages) < SHORT_SHARE * min(windows)
    if settings.COMPACTION_MODEL and not is_short:
        known = summaries.on_branch(turn.asking.conversation_id, set(ids))
        messages = with_summaries(messages, ids, known[-MAX_SUMMARIES_READ:])
    return History(ids, _read(messages), len(ids) - len(newest))


def _by_others(originals: Iterable[int | None], user_id: int) -> set[int]:
    return branches.written_by_others({each for each in originals if each}, user_id)


def _read(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages without the questions that staff have hidden."""
    return [
        each
        for each in messages
        if each.content or each.images or each.role == StoredMessage.Role.ASSISTANT
    ]
