"""Give a chat a title, written by a cheap model after the first answer.

Until then, and if that fails, the title is the beginning of the first question. A title that
somebody wrote is never replaced. The cost counts towards the member's limits.
"""

import asyncio
import itertools
import logging
from uuid import UUID

from django.conf import settings
from django.db.models import Value

from chat.accounts.principals import Principal
from chat.conversations import turns
from chat.conversations.models import TITLE_LENGTH, Conversation
from chat.database import threads
from chat.database.prepared import PreparedUpdate
from chat.errors import ChatError
from chat.generations.delivery import notifications
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.responses import collect
from chat.generations.process import server_process
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.send.start import start_temporary
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.titles.title_prompt import MAX_TITLE_TOKENS, title_of, title_request
from chat.lib import trace
from chat.lib.limits import FairQueues
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest

log = logging.getLogger(__name__)

TITLES_AT_ONCE = 4
#: How long a title lets questions that wait to be stored go first.
MOST_QUIET_SECONDS = 30.0

_writing: set[asyncio.Task[None]] = set()
_queues = FairQueues()
_numbers = itertools.count()
_update = PreparedUpdate(
    lambda conversation_id, known, title: (
        Conversation.objects.filter(pk=conversation_id, title=known),
        {"title": title, "is_title_generated": Value(True)},
    )
)


def write_in_background(principal: Principal, sent: Sent, result: Result, answer: str) -> None:
    """Write the title of a chat whose first answer has just been stored."""
    is_whole = result.state == "complete" and not result.is_purged
    if not (settings.TITLE_MODEL and sent.title_source and is_whole) or principal.site:
        return
    work = _write(principal, sent.conversation_id, sent.title_source, answer)
    task = asyncio.create_task(work, context=trace.fresh_context())
    _writing.add(task)
    task.add_done_callback(_writing.discard)


async def until_written() -> None:
    """Wait for the titles that are being written."""
    await asyncio.gather(*_writing)


async def _write(principal: Principal, conversation_id: UUID, question: str, answer: str) -> None:
    try:
        async with _queues.turn(str(next(_numbers) % TITLES_AT_ONCE)):
            await _quiet()
            title = title_of(await _ask(principal, question, answer), question)
        if not title:
            return
        is_set = await threads.writer.run(_set_title, conversation_id, question, title)
        if is_set:
            notifications.notify_in_background(principal.user_id, "list", conversation_id)
    except (ChatError, *DATABASE_ERRORS) as error:
        log.info("a chat keeps its first words as its title: %s", type(error).__name__)


async def _quiet() -> None:
    """Let questions go first: somebody waits for their answers, and nobody for a title."""
    here, loop = server_process.current(), asyncio.get_running_loop()
    give_up_at = loop.time() + MOST_QUIET_SECONDS
    while here.starting and (left := give_up_at - loop.time()) > 0:
        await asyncio.wait(here.starting, timeout=left)


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
    return bool(_update.run(conversation_id, turns.title_from(question), title[:TITLE_LENGTH]))
