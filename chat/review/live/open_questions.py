"""Let the model answer what a visitor asked a person who has handed the chat back."""

from uuid import UUID

from chat.accounts.principals import Principal
from chat.conversations import turns
from chat.conversations.models import Conversation, Message, Takeover
from chat.database import threads
from chat.generations.send.request import Send
from chat.generations.send.start import start_stored
from chat.upstream import available_models
from chat.widget_sites.visits import open_sites


async def answer_open_question(conversation_id: UUID) -> bool:
    """Start an answer to the visitor's last message if nobody has answered it; return True then.

    It counts against the visitor's limits, like any answer. Raise `ChatError` if these refuse it.
    """
    question = await threads.readers.run(_open_question, conversation_id)
    if question is None:
        return False
    principal, send = question
    await start_stored(principal, conversation_id, send, available_models.find(None))
    return True


def _open_question(conversation_id: UUID) -> tuple[Principal, Send] | None:
    """Return who asked and what to send; None if no question is open.

    The send's key belongs to the takeover, so the question is answered once.
    """
    latest = Takeover.objects.filter(conversation=conversation_id).order_by("-id").first()
    if latest is None or latest.ended_by != Takeover.End.HANDED_BACK:
        return None
    conversation = (
        Conversation.objects.select_related("owner__visitor__site")
        .filter(pk=conversation_id)
        .first()
    )
    last = turns.last_message(conversation) if conversation else None
    if conversation is None or last is None or last.role != Message.Role.USER:
        return None
    visitor = conversation.owner.visitor
    if last.hidden_at or not conversation.owner.is_active:
        return None
    if not open_sites().filter(pk=visitor.site_id).exists():
        return None
    principal = Principal(
        key=f"visitor:{visitor.pk}",
        user_id=visitor.user_id,
        site=visitor.site.key,
        visitor=visitor.pk.hex,
    )
    return principal, Send(key=f"takeover-{latest.pk}", retry=last.pk)
