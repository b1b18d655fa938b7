"""Write chats and their messages for programs."""

from datetime import datetime
from typing import Any

from chat.generations.models import Generation
from chat.review.access import BranchReading, ReadConversation, ReadMessage
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag
from chat.review.models import ConversationStats
from chat.review.search.conversation_search import SOURCES, STATES
from chat.review.staff import privacy
from chat.review.staff.privacy import ShownUser
from chat.review.verdict_models import MessageVerdict

CASE_STATES: dict[int, str] = {each.value: each.name.lower() for each in Case.State}


def user_out(person: ShownUser) -> dict[str, Any] | None:
    """Return a member or visitor as the key may know them; None for a deleted account."""
    if not person.key:
        return None
    about = {"id": person.key, "name": person.name, "email": person.email or None}
    return about | {"website": person.site_key or None}


def conversation_out(
    staff_context: StaffContext, conversation: ReadConversation, stats: ConversationStats | None
) -> dict[str, Any]:
    person = privacy.shown_user(staff_context.reviewer, conversation.owner)
    about = {
        "object": "conversation",
        "id": str(conversation.pk),
        "title": conversation.title,
        "person": user_out(person),
        "created_at": moment(conversation.created_at),
        "updated_at": moment(conversation.updated_at),
        "is_by_api_key": conversation.api_key is not None,
        "is_on_hold": conversation.held_at is not None,
        "is_closed": conversation.closed_at is not None,
    }
    return about | (_stats(stats) if stats else {})


def _stats(stats: ConversationStats) -> dict[str, Any]:
    return {
        "models": stats.model_names.split(),
        "states": [name for name, state in STATES.items() if stats.states & state],
        "tokens": stats.tokens,
        "cost_usd": stats.cost_usd,
        "ratings": {"good": stats.good, "bad": stats.bad},
        "case": CASE_STATES.get(stats.case_state),
        "flags": [name for name, source in SOURCES.items() if stats.flag_sources & source],
    }


def messages_out(staff_context: StaffContext, reading: BranchReading) -> list[dict[str, Any]]:
    """Return the messages of a part of a branch, oldest first."""
    return [_message(staff_context, reading, each) for each in reading.part.messages]


def _message(
    staff_context: StaffContext, reading: BranchReading, message: ReadMessage
) -> dict[str, Any]:
    hidden = reading.hidden.get(message.pk)
    return {
        **message_out(message),
        "text": hidden.text if hidden else message.text,
        "reasoning": hidden.reasoning if hidden else message.reasoning,
        "versions": list(reading.part.versions.get(message.pk, ())),
        "ratings": [
            {
                "person": user_out(privacy.shown_user(staff_context.reviewer, each.user)),
                "value": each.value,
                "reason": each.reason,
                "comment": each.comment,
                "rated_at": moment(each.rated_at),
            }
            for each in reading.ratings.get(message.pk, [])
        ],
        "attempts": [_attempt(each) for each in reading.generations.get(message.pk, [])],
        "verdict": _verdict(reading.verdicts.get(message.pk)),
    }


def message_out(message: ReadMessage) -> dict[str, Any]:
    """Return a message without what is beside it."""
    return {
        "object": "message",
        "id": message.pk,
        "parent": message.parent_id,
        "role": message.role,
        "text": message.text,
        "created_at": moment(message.created_at),
        "is_hidden": message.hidden_at is not None,
        "is_deleted": message.deleted_at is not None,
    }


def _attempt(generation: Generation) -> dict[str, Any]:
    return {
        "id": str(generation.pk),
        "model": generation.model,
        "state": generation.state,
        "error": generation.error_code or None,
        "started_at": moment(generation.started_at),
        "ended_at": moment(generation.ended_at),
        "first_token_milliseconds": generation.first_token_milliseconds,
        "milliseconds": generation.milliseconds,
        "prompt_tokens": generation.prompt_tokens,
        "completion_tokens": generation.completion_tokens,
        "cost_usd": generation.cost_usd,
    }


def _verdict(stored: MessageVerdict | None) -> dict[str, Any] | None:
    if stored is None:
        return None
    return {"model": stored.model, "probabilities": stored.probabilities}


def flag_out(staff_context: StaffContext, flag: Flag) -> dict[str, Any]:
    """Return a flag with its comment, which a member may have written."""
    person = privacy.shown_user(staff_context.reviewer, flag.person) if flag.person else None
    return {
        "object": "flag",
        "id": flag.pk,
        "source": Flag.Source(flag.source).name.lower(),
        "rule": flag.rule.name if flag.rule else None,
        "category": flag.rule.category or None if flag.rule else None,
        "reason": flag.reason or None,
        "comment": flag.comment,
        "message": flag.message,
        "severity": flag.severity,
        "person": user_out(person) if person else None,
        "created_at": moment(flag.created_at),
    }


def moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
