"""Answers that the staff stops: whichever process writes them, it does so with its next flush.

Their owners read why: it is an error of the ending, which is stored, and goes over the wire.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.conversations import access, takeover
from chat.errors import ChatError
from chat.generations.models import Generation

Cause = Generation.Cause


class StoppedByStaff(ChatError):
    code, status = "stopped_by_staff", 409
    text = _("Staff stopped this answer.")


class StoppedForPerson(ChatError):
    code, status = "stopped_for_person", 409
    text = _("A person has taken over from here.")


def error_of(cause: int | None) -> ChatError | None:
    """What is said of an answer that was stopped for this cause; None if its owner did it."""
    match cause:
        case Cause.STAFF:
            return StoppedByStaff()
        case Cause.TAKEOVER:
            return StoppedForPerson()
        case _:
            return None


def stop(conversation_id: UUID, cause: Generation.Cause) -> list[int]:
    """Stops all that is being written in a conversation; the messages that it was for."""
    running = Generation.objects.filter(
        message__conversation=conversation_id, state=Generation.State.RUNNING
    )
    found: dict[Any, int] = dict(running.values_list("pk", "message_id"))
    Generation.objects.filter(pk__in=found, state=Generation.State.RUNNING).update(
        stop_requested=True, stop_cause=cause
    )
    return list(found.values())


@transaction.atomic
def take_over(conversation_id: UUID, person: int) -> bool:
    """From now on `person` answers here; what a model is writing stops. Whether it is news.

    A send locks the conversation as well: it comes before, and is stopped, or after, and is the
    person's to answer.
    """
    found = access.locked(conversation_id)
    is_new = takeover.take(found, person)
    if is_new:
        stop(conversation_id, Cause.TAKEOVER)
    return is_new
