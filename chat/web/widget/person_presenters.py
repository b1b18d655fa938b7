"""Show visitors who is answering."""

import uuid
from datetime import timedelta
from typing import Any

import msgspec
from django.utils import timezone
from msgspec import UnsetType

from chat.conversations import access, turns
from chat.conversations.handoff import takeover, typing_signs
from chat.conversations.handoff.typing_signs import TypingSide
from chat.conversations.models import Message, Takeover
from chat.inbox import visitor_emails
from chat.web.messages.follow_up_presenter import visible_follow_ups
from chat.web.messages.message_out import MessageOut
from chat.web.messages.presenters import awaiting_staff
from chat.widget_sites import profiles
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.opening_hours import OpeningHours
from chat.widget_sites.visits import Visit

#: How long after a person has left the visitor is asked how the help was.
RATED_WITHIN = timedelta(days=1)


def shown_person(visit: Visit, conversation_id: uuid.UUID) -> dict[str, Any]:
    """Return whether staff are answering now, how their last takeover ended, and the last message.

    The end is reported until the next message. The ID of the last message tells the page whether it
    has missed any.
    """
    conversation = access.conversation_of(visit.visitor.user_id, conversation_id)
    last = turns.last_message(conversation)
    latest = takeover.latest(conversation.pk)
    is_present = latest is not None and latest.ended_at is None
    is_news = latest and latest.ended_at and last and last.created_at <= latest.ended_at
    is_requested = conversation.person_requested_at is not None
    is_suggesting = visit.site.suggests_questions and not is_present
    return {
        "person": is_present,
        "name": profiles.profile_of(visit.site, latest.person).name
        if latest and is_present
        else "",
        "is_typing": is_present and typing_signs.is_typing(conversation.pk, TypingSide.PERSON),
        "requested": is_requested,
        "ended": latest.ended_by if latest and is_news else "",
        "last": last.pk if last else 0,
        "follow_ups": visible_follow_ups(last) if last and is_suggesting else (),
        "to_rate": _to_rate(latest),
        **_waiting(visit.site, conversation.pk, is_waiting=is_requested and not is_present),
    }


def with_persons(site: WidgetSite, shown: list[MessageOut]) -> list[MessageOut]:
    """Return the turns with the names of persons; mark questions that wait for one."""
    answered = {turn.parent for turn in shown if turn.role != "user"}
    profiles_by_message = _profiles(site, shown)
    return [
        awaiting_staff(turn)
        if turn.role == "user" and turn.id not in answered
        else _with_person(turn, profiles_by_message.get(turn.id, profiles.NOBODY))
        for turn in shown
    ]


def _with_person(turn: MessageOut, profile: profiles.PublicProfile) -> MessageOut:
    return msgspec.structs.replace(turn, person_name=profile.name, person_picture=profile.picture)


def _profiles(
    site: WidgetSite, shown: list[MessageOut]
) -> dict[int | UnsetType, profiles.PublicProfile]:
    """Return the profiles of those who wrote the messages, by message."""
    written = Message.objects.filter(pk__in=[turn.id for turn in shown if turn.is_person])
    authors = {pk: author for pk, author in written.values_list("pk", "author") if author}
    known = profiles.profiles_of(site, authors.values()) if authors else {}
    return {pk: known[author] for pk, author in authors.items() if author in known}


def _to_rate(latest: Takeover | None) -> int:
    """Return the ID of the takeover that the visitor may rate now; 0 if none."""
    if latest is None or latest.ended_at is None or latest.rating is not None:
        return 0
    return latest.pk if latest.ended_at > timezone.now() - RATED_WITHIN else 0


def _waiting(site: WidgetSite, conversation_id: uuid.UUID, *, is_waiting: bool) -> dict[str, Any]:
    """Return what a visitor who waits for a person is told."""
    hours = OpeningHours.of(site)
    is_open = hours is None or hours.is_open(timezone.now())
    opens_at = hours.next_opening(timezone.now()) if hours and not is_open else None
    email = visitor_emails.address_of(conversation_id) if site.asks_email and is_waiting else ""
    return {"is_open": is_open, "opens_at": opens_at, "email": email}
