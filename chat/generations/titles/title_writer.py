"""Give a chat a title, written by a cheap model after the first answer.

Until then, and if that fails, the title is the beginning of the first question. A title that
somebody wrote is never replaced. The cost counts towards the member's limits.
"""

import asyncio
import logging
from uuid import UUID

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations import turns
from chat.conversations.models import TITLE_LENGTH, Conversation, Message
from chat.database import threads
from chat.errors import ChatError
from chat.generations.delivery import notifications
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.responses import collect
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.send.start import start_temporary
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.titles.title_prompt import MAX_TITLE_TOKENS, title_of, title_request
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest

log = logging.getLogger(__name__)

_writing: set[asyncio.Task[None]] = set()


def write_in_background(principal: Principal, sent: Sent, result: Result) -> None:
    """Write the title of a chat whose first answer has just been stored."""
    is_first = len([each for each in sent.history if each.role == "user"]) == 1
    is_whole = result.state == "complete" and not result.is_purged
    if not (settings.TITLE_MODEL and is_first and is_whole) or principal.site:
        return
    task = asyncio.create_task(_write(principal, sent.conversation_id, sent.generation.message_id))
    _writing.add(task)
    task.add_done_callback(_writing.discard)


async def until_written() -> None:
    """Wait for the titles that are being written."""
    await asyncio.gather(*_writing)


async def _write(principal: Principal, conversation_id: UUID, answer_id: int) -> None:
    try:
        turn = await threads.readers.run(_first_turn, conversation_id, answer_id)
        if turn is None:
            return
        question, answer = turn
        title = title_of(await _ask(principal, question, answer), question)
        if not title:
            return
        is_set = await threads.writer.run(_set_title, conversation_id, question, title)
        if is_set:
            notifications.notify_in_background(principal.user_id, "list", conversation_id)
    except (ChatError, *DATABASE_ERRORS) as error:
        log.info("a chat keeps its first words as its title: %s", type(error).__name__)


def _first_turn(conversation_id: UUID, answer_id: int) -> tuple[str, str] | None:
    """Return the first question and answer, if the chat still has the question's first words."""
    answer = Message.objects.filter(pk=answer_id).select_related("parent").first()
    titles = Conversation.objects.filter(pk=conversation_id).values_list("title", flat=True)
    if answer is None or answer.parent is None or answer.parent.parent_id is not None:
        return None
    question = answer.parent.text
    return (question, answer.text) if titles.first() == turns.title_from(question) else None


async def _ask(principal: Principal, question: str, answer: str) -> str:
    model = available_models.find(settings.TITLE_MODEL)
    request = CompletionRequest(
        messages=title_request(question, answer),
        model=model.id,
        max_tokens=MAX_TITLE_TOKENS,
        metadata={"principal": principal.key},
    )
    live = await start_temporary(principal, request, model, None, is_resumable=False)
    written = WholeAnswer()
    await collect(live, principal, written)
    return written.text


def _set_title(conversation_id: UUID, question: str, title: str) -> bool:
    """Set the title that a model wrote, if it still is the beginning of the first question.

    Return False if the title has changed meanwhile.
    """
    unnamed = Conversation.objects.filter(pk=conversation_id, title=turns.title_from(question))
    return bool(unnamed.update(title=title[:TITLE_LENGTH], is_title_generated=True))
