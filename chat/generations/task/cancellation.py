"""Stop answers in whichever process writes them, with its next flush.

If staff are the cause, it is an error of the result: it is stored, and the answer's readers see it.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from chat.conversations import access
from chat.conversations.handoff import takeover
from chat.errors import ChatError
from chat.generations.models import Generation

Cause = Generation.Cause


class StoppedByStaff(ChatError):
    code, status = "stopped_by_staff", 409
    text = _("Staff stopped this answer.")


class StoppedByTakeover(ChatError):
    code, status = "stopped_by_takeover", 409
    text = _("A person has taken over from here.")


def error_of(cause: int | None) -> ChatError | None:
    """Return the error to show for this cause; None if the owner stopped the answer."""
    match cause:
        case Cause.STAFF:
            return StoppedByStaff()
        case Cause.TAKEOVER:
            return StoppedByTakeover()
        case _:
            return None


def request_stop(generations: QuerySet[Generation], cause: Generation.Cause | None = None) -> None:
    """Ask the processes that write these generations to stop them; others stay as they are."""
    running = generations.filter(state=Generation.State.RUNNING)
    running.update(stop_requested=True, **({"stop_cause": cause} if cause else {}))


def stop(conversation_id: UUID, cause: Generation.Cause) -> list[int]:
    """Stop all running answers of a conversation; return the ids of their messages."""
    running = Generation.objects.filter(
        message__conversation=conversation_id, state=Generation.State.RUNNING
    )
    message_ids: dict[Any, int] = dict(running.values_list("pk", "message_id"))
    request_stop(Generation.objects.filter(pk__in=message_ids), cause)
    return list(message_ids.values())


@transaction.atomic
def take_over(conversation_id: UUID, person: int) -> bool:
    """Let a staff member answer in place of the model; return True if newly claimed.

    Running answers are stopped.

    Takes the row lock of the conversation, as a send does: an earlier send is stopped, a later one
    is for the person to answer.
    """
    conversation = access.locked(conversation_id)
    is_new = takeover.claim(conversation, person)
    if is_new:
        stop(conversation_id, Cause.TAKEOVER)
    return is_new
