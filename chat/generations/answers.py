"""Read answers together with their generations."""

from collections.abc import Sequence

from chat.conversations.models import Message
from chat.generations.models import Generation


def generations_of(messages: Sequence[Message]) -> list[Generation]:
    """Return the generations of messages, oldest first, and bring the messages up to date.

    They were read before their generations. An answer that has ended in between would be complete
    without its text, so its message is read again.
    """
    generations = list(Generation.objects.filter(message__in=messages).order_by("started_at"))
    latest = {each.message_id: each for each in generations}
    late = {
        each.pk: each
        for each in messages
        if each.pk in latest and not each.hidden_at and _has_more(latest[each.pk], each.text)
    }
    if late:
        for fresh in Message.objects.filter(pk__in=late):
            message = late[fresh.pk]
            message.text, message.reasoning = fresh.text, fresh.reasoning
            message.hidden_at = fresh.hidden_at
    return generations


def _has_more(generation: Generation, text: str) -> bool:
    return generation.state != Generation.State.RUNNING and len(text) < generation.length
