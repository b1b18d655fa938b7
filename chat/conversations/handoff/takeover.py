"""Let staff take a visitor's conversation over from the model, write in it, and hand it back.

One person at a time: the database allows one open row per conversation. If their page sends no
heartbeat for a while, the takeover ends and the model answers again.
"""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations import turns
from chat.conversations.access import raise_revision
from chat.conversations.errors import ChatClosed
from chat.conversations.models import Conversation, Message, Takeover
from chat.conversations.sizes.limits import require_capacity, require_length
from chat.errors import BadRequest, Conflict

AWAY = timedelta(minutes=3)  # without a heartbeat
_PRESENT = Q(ended_at=None, last_seen_at__gt=Now() - AWAY)


class TakenOver(Conflict):
    """Another staff member has the takeover."""

    code = "taken_over"
    text = _("Another staff member is handling this chat.")


class TakeoverEnded(Conflict):
    """The staff member no longer has the takeover."""

    code = "takeover_ended"
    text = _("You're no longer handling this chat.")
    keeps_draft = True


def current(conversation_id: UUID) -> Takeover | None:
    """Return the active takeover, if any."""
    return Takeover.objects.filter(_PRESENT, conversation=conversation_id).first()


def all_current(ids: Iterable[UUID]) -> list[Takeover]:
    """Return the active takeovers of these conversations."""
    return list(Takeover.objects.filter(_PRESENT, conversation__in=ids))


def latest(conversation_id: UUID) -> Takeover | None:
    """Return the last takeover, which may have ended.

    One without heartbeats is returned as ended, even if that is not stored yet.
    """
    newest = Takeover.objects.filter(conversation=conversation_id).order_by("-id").first()
    if newest and newest.ended_at is None and not current(conversation_id):
        newest.ended_at, newest.ended_by = newest.last_seen_at + AWAY, Takeover.End.LEFT
    return newest


def claim(conversation: Conversation, person: int) -> bool:
    """Claim the takeover; return True if newly claimed.

    Lock the conversation first. Raise `TakenOver` if another person has it, and `ChatClosed`.
    """
    if conversation.closed_at:
        raise ChatClosed
    end_stale(conversation.pk)
    present = Takeover.objects.filter(conversation=conversation, ended_at=None).first()
    if present and present.person != person:
        raise TakenOver
    if present is None:
        Takeover.objects.create(conversation=conversation, person=person)
        Conversation.objects.filter(pk=conversation.pk).update(person_requested_at=None)
    return present is None


def add_message(conversation: Conversation, person: int, text: str, key: str) -> Message:
    """Add a message of the person's, once per key; return it.

    Lock the conversation first. Raise `TakeoverEnded` if the takeover is not theirs, `Conflict` if
    the key has stored something else, and `ChatClosed`.
    """
    if message := conversation.messages.filter(send_key=key).first():
        if (message.author, message.text) != (person, text):
            raise Conflict
        return message
    if not record_heartbeat(conversation.pk, person):
        raise TakeoverEnded
    if conversation.closed_at:
        raise ChatClosed
    if not text.strip():
        raise BadRequest(_("Write a message first."))
    require_length(text)
    require_capacity(conversation.messages.count() + 1)
    Conversation.objects.filter(pk=conversation.pk).update(
        updated_at=timezone.now(), is_unread=True
    )
    return conversation.messages.create(
        parent=turns.last_message(conversation),
        role=Message.Role.ASSISTANT,
        text=text,
        author=person,
        send_key=key,
    )


def record_heartbeat(conversation_id: UUID, person: int) -> bool:
    """Record a heartbeat; return False if the person no longer has the takeover."""
    mine = Takeover.objects.filter(_PRESENT, conversation=conversation_id, person=person)
    return bool(mine.update(last_seen_at=Now()))


def hand_back(conversation_id: UUID, person: int) -> bool:
    """End the takeover, so that the model answers again; return False if it had already ended.

    Call it inside a transaction.
    """
    raise_revision(conversation_id)
    mine = Takeover.objects.filter(conversation=conversation_id, person=person, ended_at=None)
    return bool(mine.update(ended_at=Now(), ended_by=Takeover.End.HANDED_BACK))


def transfer(conversation: Conversation, person: int, colleague: int) -> bool:
    """Pass a person's takeover on to a colleague; return False if it had already ended.

    Lock the conversation first. The colleague's ends like any other if their page sends no
    heartbeat.
    """
    end_stale(conversation.pk)
    mine = Takeover.objects.filter(conversation=conversation, person=person, ended_at=None)
    if not mine.update(ended_at=Now(), ended_by=Takeover.End.TRANSFERRED):
        return False
    Takeover.objects.create(conversation=conversation, person=colleague)
    return True


def rate(conversation_id: UUID, takeover_id: int, value: int, comment: str) -> bool:
    """Store the visitor's rating of a takeover that has ended, 1 or -1; 0 withdraws it.

    Return False if the conversation has no such takeover.
    """
    ended = Takeover.objects.filter(pk=takeover_id, conversation=conversation_id)
    return bool(
        ended.exclude(ended_at=None, last_seen_at__gt=Now() - AWAY).update(
            rating=value or None, rating_comment=comment if value else ""
        )
    )


def end_stale(conversation_id: UUID | None = None) -> int:
    """End takeovers without heartbeats, in one conversation or in all; return how many."""
    left = Takeover.objects.filter(ended_at=None, last_seen_at__lte=Now() - AWAY)
    if conversation_id:
        left = left.filter(conversation=conversation_id)
    return left.update(ended_at=F("last_seen_at") + AWAY, ended_by=Takeover.End.LEFT)
