"""Present sites and conversations to the widget."""

import uuid
from typing import Any

from chat.conversations import access
from chat.conversations.models import Conversation
from chat.inbox import visitor_details
from chat.review.moderation.warnings import unread_of
from chat.upstream import available_models
from chat.web.messages.message_out import Audience
from chat.web.messages.presenters import shown_turns
from chat.web.widget.person_presenters import with_persons
from chat.website_sources import freshness
from chat.widget_sites.models import Visitor, WidgetSite
from chat.widget_sites.visitor_generation_settings import visitor_settings_of
from chat.widget_sites.visits import Visit

LIST_LENGTH = 50


def shown_site(site: WidgetSite, visitor: Visitor) -> dict[str, Any]:
    return {
        "name": site.name,
        "welcome": site.welcome,
        "starters": site.starters,
        "consent": {"text": site.consent, "agreed": bool(visitor.agreed_at)},
        "asks_details": visitor_details.is_wanted_from(visitor),
        "given_email": given.email
        if (given := visitor_details.details_of(visitor.user_id))
        else "",
        "privacy_url": site.privacy_url,
        "retention_days": site.retention_days,
        "watches_pages": freshness.watches(site),
        "warnings": list(unread_of(visitor.user_id).values("id", "text")),
    }


def reads_images(site: WidgetSite) -> bool:
    """Return whether the site's model reads images."""
    wanted = visitor_settings_of(site.key)
    return available_models.find(available_models.id_of(wanted.model if wanted else "")).vision


def shown_list(user_id: int) -> dict[str, Any]:
    """Return the visitor's latest conversations, newest first."""
    conversations = Conversation.objects.filter(owner=user_id).order_by("-updated_at")[:LIST_LENGTH]
    return {
        "conversations": [
            {
                "id": str(each.pk),
                "title": each.title,
                "updated_at": each.updated_at,
                "is_unread": each.is_unread,
            }
            for each in conversations
        ]
    }


def shown_conversation(
    visit: Visit, conversation_id: uuid.UUID, before: int | None = None
) -> dict[str, Any]:
    """Return the end of the branch used last, or the turns that led to message `before`."""
    conversation = access.conversation_of(visit.visitor.user_id, conversation_id)
    shown = shown_turns(conversation, Audience.VISITOR, before)
    has_takeovers = conversation.takeovers.exists()
    return {
        "id": str(conversation.pk),
        "title": conversation.title,
        "turns": with_persons(visit.site, shown["turns"]) if has_takeovers else shown["turns"],
        "has_earlier": shown["has_earlier"],
        "is_closed": conversation.closed_at is not None,
    }
