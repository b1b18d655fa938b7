"""Build `MessageOut` for each audience from messages and their generations."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.conversations import access, turns
from chat.conversations.errors import MessageHidden
from chat.conversations.models import Conversation, Message, Rating, RedactedText
from chat.conversations.page_context import shown_values
from chat.conversations.sources import sources
from chat.conversations.summaries import summaries
from chat.conversations.tool_calls import calls as tool_calls
from chat.generations.answers import generations_of
from chat.generations.models import Generation
from chat.web.messages.follow_up_presenter import with_follow_ups
from chat.web.messages.message_out import (
    Audience,
    ErrorOut,
    MessageOut,
    RatingOut,
    SourceOut,
    TimingOut,
    ToolOut,
    UsageOut,
)
from chat.web.messages.pair_presenter import chosen_instead, with_pair
from chat.web.messages.source_presenter import sources_for
from chat.web.messages.tool_presenter import drawn_call, tools_for


def shown_message(
    user_id: int, conversation_id: uuid.UUID, message_id: int, audience: Audience
) -> MessageOut:
    """Return one message of the user, a member or visitor."""
    conversation = access.conversation_of(user_id, conversation_id)
    message = access.message_of(conversation, message_id)
    latest = next(reversed(generations_of([message])), None)
    rating = message.ratings.filter(user=user_id).first()
    given = sources_for([message], audience, user_id).get(message.pk)
    tools = tools_for([message], _running([latest])).get(message.pk, ())
    summary = summaries.last_of(conversation, [message]).get(message_id, "")
    shown = _whole(message, latest, rating, sources=given, summary=summary, tools=tools)
    if audience is Audience.MEMBER:
        shown = with_pair(shown)
    return with_follow_ups(shown, message).seen_by(audience)


def shown_turns(
    conversation: Conversation,
    audience: Audience,
    before: int | None = None,
    at: int | None = None,
) -> dict[str, Any]:
    """Return a page of turns: the end of the branch used last, or of the one through message `at`.

    With `before`, return the turns that led to that message instead.
    """
    part = turns.branch_part(
        conversation,
        access.message_of(conversation, before) if before is not None else None,
        access.message_of(conversation, at) if at is not None else None,
    )
    latest = {each.message_id: each for each in generations_of(part.messages)}
    if audience is Audience.MEMBER and at is None and before is None:
        chosen = chosen_instead(part.messages)
        if chosen:
            return shown_turns(conversation, audience, at=chosen)
    rated = Rating.objects.filter(message__in=part.messages, user=conversation.owner_id)
    ratings = {rating.message_id: rating for rating in rated}
    sources.prefetch(part.messages)
    tool_calls.prefetch(part.messages)
    given = sources_for(part.messages, audience, conversation.owner_id)
    tools = tools_for(part.messages, _running(latest.values()))
    summary = summaries.last_of(conversation, part.messages)
    shown = [
        _whole(
            each,
            latest.get(each.pk),
            ratings.get(each.pk),
            part.versions.get(each.pk, ()),
            given.get(each.pk),
            summary.get(each.pk, ""),
            tools.get(each.pk, ()),
        )
        for each in part.messages
    ]
    if shown and before is None:
        last = with_pair(shown[-1]) if audience is Audience.MEMBER else shown[-1]
        shown[-1] = with_follow_ups(last, part.messages[-1])
    return {
        "turns": [each.seen_by(audience) for each in shown],
        "has_earlier": part.has_earlier,
        "is_newest": part.is_newest,
    }


def awaiting_staff(message: MessageOut) -> MessageOut:
    """Return a visitor's question marked as waiting for staff, who have taken over."""
    return msgspec.structs.replace(message, state="awaiting_staff")


def for_staff(
    message: Message,
    latest: Generation | None,
    author: str,
    versions: tuple[int, ...] | list[int] = (),
    summary: str = "",
) -> MessageOut:
    """Return what staff see: the owner's view, the author and the time as text."""
    given = sources_for([message], Audience.STAFF)
    tools = tools_for([message], _running([latest])).get(message.pk, ())
    shown = msgspec.structs.replace(
        _whole(message, latest, None, versions, given.get(message.pk), summary, tools),
        author=author,
        moment=date_format(timezone.localtime(message.created_at), "DATETIME_FORMAT"),
        is_deleted=message.deleted_at is not None,
    )
    return shown.seen_by(Audience.STAFF)


def with_hidden_text(
    message: MessageOut, words: RedactedText | None, latest: Generation | None
) -> MessageOut:
    """Return a hidden message with its text for staff; `words` is None for a copy without text."""
    return msgspec.structs.replace(
        message,
        text=words.text if words else "",
        reasoning=words.reasoning if words else "",
        state=str(latest.state) if latest else "",
    )


def for_shared_reader(turn: dict[str, Any]) -> MessageOut:
    """Return a turn of a shared link's snapshot (chat/sharing/snapshot.py)."""
    is_hidden = "hidden" in turn
    return MessageOut(
        role=turn["role"],
        text=str(MessageHidden.text) if is_hidden else turn["text"],
        reasoning="" if is_hidden else turn.get("reasoning", ""),
        state=turn.get("state", ""),
        model=turn.get("model", ""),
        is_imported="imported" in turn,
        is_hidden=is_hidden,
        sources=_shared_sources(turn),
        tools=() if is_hidden else tuple(map(drawn_call, turn.get("drawn", ()))),
    ).seen_by(Audience.SHARED_READER)


def _shared_sources(turn: dict[str, Any]) -> tuple[SourceOut, ...] | None:
    if "sources" not in turn:
        return None
    return tuple(SourceOut(**each, is_cited=True) for each in turn["sources"])


def _whole(
    message: Message,
    generation: Generation | None,
    rating: Rating | None,
    versions: tuple[int, ...] | list[int] = (),
    sources: tuple[SourceOut, ...] | None = None,
    summary: str = "",
    tools: Sequence[ToolOut] = (),
) -> MessageOut:
    """Return all fields of a message. Call `seen_by` before showing it to anyone."""
    is_answer = message.role == Message.Role.ASSISTANT
    shown = MessageOut(
        id=message.pk,
        parent=message.parent_id,
        role=message.role,
        text=str(MessageHidden.text) if message.hidden_at else message.text,
        reasoning="" if message.hidden_at else message.reasoning,
        created_at=message.created_at,
        is_person=message.is_by_person,
        is_by_email=message.is_by_email,
        is_imported=message.is_imported,
        is_hidden=message.hidden_at is not None,
        versions=tuple(versions),
        sources=sources,
        summary=summary,
        tools=tuple(tools),
        page_context=() if message.hidden_at else shown_values(message.page_context),
    )
    if generation and not message.hidden_at:
        shown = _with_generation(shown, generation)
    elif is_answer and (message.text or message.hidden_at):
        # An answer without a generation came from a copied shared chat.
        shown = msgspec.structs.replace(shown, state=Generation.State.COMPLETE.value)
    if rating and not message.hidden_at:
        opinion = RatingOut(rating.value, rating.reason, rating.comment)
        shown = msgspec.structs.replace(shown, rating=opinion)
    return shown


def _running(generations: Iterable[Generation | None]) -> frozenset[int]:
    """Return the ids of the messages that are still being written."""
    running = Generation.State.RUNNING
    return frozenset(each.message_id for each in generations if each and each.state == running)


def _with_generation(message: MessageOut, generation: Generation) -> MessageOut:
    return msgspec.structs.replace(
        message,
        generation=str(generation.pk),
        hides_model=generation.hides_model,
        state=str(generation.state),
        model=generation.model,
        finish_reason=generation.finish_reason,
        reasoning_effort=generation.reasoning_effort,
        omitted_messages=generation.omitted_messages,
        base_length=generation.base_length,
        error=_error(generation),
        usage=_usage(generation),
        timing=_timing(generation),
    )


def _error(generation: Generation) -> ErrorOut | None:
    if not generation.error_code:
        return None
    words = _(generation.error_message)  # stored in English
    return ErrorOut(generation.error_code, words, generation.error_retryable)


def _usage(generation: Generation) -> UsageOut | None:
    if generation.total_tokens is None:
        return None
    return UsageOut(
        prompt_tokens=generation.prompt_tokens,
        completion_tokens=generation.completion_tokens,
        total_tokens=generation.total_tokens,
        cached_tokens=generation.cached_tokens,
        neurons=generation.neurons,
        cost_usd=generation.cost_usd,
    )


def _timing(generation: Generation) -> TimingOut | None:
    if generation.milliseconds is None:
        return None
    return TimingOut(generation.first_token_milliseconds, generation.milliseconds)
