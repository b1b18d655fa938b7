"""What a visitor's page is told: about its site, and the conversations of whoever looks."""

import uuid
from typing import Any

from chat.conversations import access, takeover, turns
from chat.conversations.models import Conversation
from chat.review.moderation.warnings import unread_of
from chat.web.messages.presenters import shown_turns
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
    """The visitor's latest conversations, the newest first."""
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
    """The end of the branch that was used last, or what led to message `before`."""
    conversation = access.conversation_of(user_id, conversation_id)
    shown = shown_turns(conversation, before)
    if conversation.takeovers.exists():
        answered = {turn["parent"] for turn in shown["turns"] if turn["role"] != "user"}
        for turn in shown["turns"]:
            if turn["role"] == "user" and turn["id"] not in answered:
                turn["state"] = "for_person"
    return {
        "id": str(conversation.pk),
        "title": conversation.title,
        "messages": [_message(turn) for turn in shown["turns"]],
        "has_earlier": shown["has_earlier"],
        "is_closed": conversation.closed_at is not None,
    }


def shown_person(user_id: int, conversation_id: uuid.UUID) -> dict[str, Any]:
    """Whether a person answers in a conversation now; how the last one ended, as long as nothing
    else was said since; and its last message, so that a page sees whether it has all."""
    conversation = access.conversation_of(user_id, conversation_id)
    last = turns.last_said(conversation)
    latest = takeover.latest(conversation.pk)
    is_present = latest is not None and latest.ended_at is None
    is_news = latest and latest.ended_at and last and last.created_at <= latest.ended_at
    return {
        "person": is_present,
        "ended": latest.ended_by if latest and is_news else "",
        "last": last.pk if last else 0,
    }


def _message(turn: dict[str, Any]) -> dict[str, Any]:
    message = {name: turn[name] for name in ("id", "role", "text", "reasoning")}
    message |= {
        "state": turn.get("state", ""),
        "generation_id": turn.get("generation", ""),
        "parent_id": turn["parent"],
        "rating": turn.get("rating"),
    }
    if turn.get("is_hidden"):
        message["is_hidden"] = True
    names = ("error", "is_person", "finish_reason")
    more = {name: turn[name] for name in names if turn.get(name)}
    return message | more
