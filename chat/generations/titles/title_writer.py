"""Give a chat a title, written by a cheap model after the first answer.

Until then, and if that fails, the title is the beginning of the first question. A title that
somebody wrote is never replaced. The cost counts towards the member's limits.
"""

from functools import partial
from uuid import UUID

from django.conf import settings
from django.db.models import Value

from chat.accounts.principals import Principal
from chat.conversations import turns
from chat.conversations.models import TITLE_LENGTH, Conversation
from chat.database import threads
from chat.database.prepared import PreparedUpdate
from chat.generations.delivery import notifications
from chat.generations.result import Result
from chat.generations.send.sent import Sent
from chat.generations.send.side_requests import SideRequests, ask
from chat.generations.titles.title_prompt import MAX_TITLE_TOKENS, title_of, title_request

_requests = SideRequests("titles", at_once=4)
until_written = _requests.until_done
_update = PreparedUpdate(
    lambda conversation_id, known, title: (
        # A title tells what is in an answer, which staff or a rule may have hidden meanwhile.
        Conversation.objects.filter(pk=conversation_id, title=known).exclude(
            messages__hidden_at__isnull=False
        ),
        {"title": title, "is_title_generated": Value(True)},
    )
)


def write_in_background(principal: Principal, sent: Sent, result: Result, answer: str) -> None:
    """Write the title of a chat whose first answer has just been stored."""
    is_whole = result.state == "complete" and not result.is_purged
    if not (settings.TITLE_MODEL and sent.title_source and is_whole) or principal.site:
        return
    write = partial(_write, principal, sent.conversation_id, sent.title_source, answer)
    _requests.start_optional(write, "a chat keeps its first words as its title")


async def _write(principal: Principal, conversation_id: UUID, question: str, answer: str) -> None:
    title = title_of(await _ask(principal, question, answer), question)
    if not title:
        return
    if await threads.writer.run(_set_title, conversation_id, question, title):
        notifications.notify_in_background(principal.user_id, "list", conversation_id)


async def _ask(principal: Principal, question: str, answer: str) -> str:
    request = title_request(question, answer)
    return await ask(principal, settings.TITLE_MODEL, request, MAX_TITLE_TOKENS)


def _set_title(conversation_id: UUID, question: str, title: str) -> bool:
    """Set the title that a model wrote, if it still is the beginning of the first question.

    Return False if the title has changed meanwhile.
    """
    return bool(_update.run(conversation_id, turns.title_from(question), title[:TITLE_LENGTH]))
