"""Store ratings of answers."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.models import Message, Rating
from chat.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Opinion:
    """A rating.

    `value` is 1 or -1, `reason` one of `Rating.Reason` or empty, `comment` free text.
    """

    value: int
    reason: str = ""
    comment: str = ""


def rate(message: Message, user_id: int, opinion: Opinion) -> None:
    """Set the user's rating of an answer; raise `BadRequest` if it is a question."""
    if message.role != Message.Role.ASSISTANT:
        raise BadRequest(_("You can only rate answers."))
    Rating.objects.update_or_create(
        message=message,
        user_id=user_id,
        defaults={
            "value": opinion.value,
            "reason": opinion.reason,
            "comment": opinion.comment.strip(),
            "rated_at": timezone.now(),
        },
    )


def withdraw(message: Message, user_id: int) -> None:
    """Remove the user's rating of a message."""
    Rating.objects.filter(message=message, user_id=user_id).delete()
