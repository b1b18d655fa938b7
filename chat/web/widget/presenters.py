"""Present sites and conversations to the widget."""

import uuid
from typing import Any

from chat.conversations import access, takeover, turns
from chat.conversations.models import Conversation
from chat.review.moderation.warnings import unread_of
from chat.web.messages.message_out import Audience, MessageOut
from chat.web.messages.presenters import awaiting_staff, shown_turns
from chat.widget_sites.models import Visitor, WidgetSite

LIST_LENGTH = 50


def shown_site(site: WidgetSite, visitor: Visitor) -> dict[str, Any]:
    return {
        "name": site.name,
        "welcome": site.welcome,
        "starters": site.starters,
        "consent": {"text": site.consent, "agreed": bool(visitor.agreed_at)},
        "privacy_url": site.privacy_url,
        "retention_days": site.retention_days,
        "warnings": list(unread_of(visitor.user_id).values("id", "text")),
    }


def shown_list(user_id: int) -> dict[str, Any]:
    """Return the visitor's latest conversations, newest first."""
    found = Conversation.objects.filter(owner=user_id).order_by("-updated_at")[:LIST_LENGTH]
    return {
        "conversations": [
            {"id": str(each.pk), "title": each.title, "updated_at": each.updated_at}
            for each in found
        ]
    }


def shown_conversation(
    user_id: int, conversation_id: uuid.UUID, before: int | None = None
) -> dict[str, Any]:
    """Return the end of the branch used last, or the turns that led to message `before`."""
    conversation = access.conversation_of(user_id, conversation_id)
    shown = shown_turns(conversation, Audience.VISITOR, before)
    has_takeovers = conversation.takeovers.exists()
    return {
        "id": str(conversation.pk),
        "title": conversation.title,
        "turns": _for_people(shown["turns"]) if has_takeovers else shown["turns"],
        "has_earlier": shown["has_earlier"],
        "is_closed": conversation.closed_at is not None,
    }


def shown_person(user_id: int, conversation_id: uuid.UUID) -> dict[str, Any]:
    """Return whether staff are answering now, how their last takeover ended, and the last message.

    The end is reported until the next message. The ID of the last message tells the page whether it
    has missed any.
    """
    conversation = access.conversation_of(user_id, conversation_id)
    last = turns.last_message(conversation)
    latest = takeover.latest(conversation.pk)
    is_present = latest is not None and latest.ended_at is None
    is_news = latest and latest.ended_at and last and last.created_at <= latest.ended_at
    return {
        "person": is_present,
        "requested": conversation.person_requested_at is not None,
        "ended": latest.ended_by if latest and is_news else "",
        "last": last.pk if last else 0,
    }


def _for_people(shown: list[MessageOut]) -> list[MessageOut]:
    """Return the turns; mark questions without an answer as waiting for staff."""
    answered = {turn.parent for turn in shown if turn.role != "user"}
    return [
        awaiting_staff(turn) if turn.role == "user" and turn.id not in answered else turn
        for turn in shown
    ]
