"""Present running answers, and updates of a chat that staff are viewing."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.conversations.handoff import typing_signs
from chat.conversations.handoff.typing_signs import TypingSide
from chat.errors import BadRequest
from chat.lib.whole_number import whole_number
from chat.review import access
from chat.review.access import BranchReading
from chat.review.access_log.staff_context import StaffContext
from chat.review.live import interventions, running_answers
from chat.review.live.running_answers import MAX_SHOWN, Running
from chat.review.staff import privacy
from chat.upstream import available_models
from chat.web.messages.presenters import for_staff

#: Members' chats without a message for longer than this are no longer polled for updates. Those of
#: visitors are: somebody else may take them over.
WARM = timedelta(minutes=10)


def running_now(staff_context: StaffContext, known: set[int]) -> dict[str, Any]:
    """Return all running answers; titles and names only for messages that are not in `known`.

    Showing a title is logged, so a page that polls adds one entry per chat.
    """
    answers, count = running_answers.running(staff_context.reviewer)
    new = [each.conversation_id for each in answers if each.message_id not in known]
    titles = {each.pk: each for each in access.read_titles(staff_context, list(dict.fromkeys(new)))}
    rows = []
    for each in reversed(answers):  # oldest first: new rows are appended, so that rows do not move
        row = {"key": each.message_id, "figures": _figures(each)}
        if each.message_id not in known:
            if each.conversation_id not in titles:
                continue
            row |= _named(staff_context, titles[each.conversation_id])
        rows.append(row)
    return {"rows": rows, "count": count, "more": max(0, count - MAX_SHOWN)}


def known_ids(text: str) -> set[int]:
    """Return the message IDs in a comma-separated list. Raise `BadRequest` if it is invalid."""
    ids = [whole_number(each) for each in text.split(",") if each]
    known = {each for each in ids if each is not None}
    if len(ids) > MAX_SHOWN or None in ids:
        raise BadRequest
    return known


def _named(staff_context: StaffContext, conversation: Any) -> dict[str, Any]:
    person = privacy.shown_user(staff_context.reviewer, conversation.owner)
    return {
        "conversation": str(conversation.pk),
        "title": conversation.title or _("Untitled"),
        "person": person.name,
    }


def _figures(running: Running) -> dict[str, str]:
    model = available_models.known(running.model)
    speed, cost = running.tokens_per_second, running.cost_usd
    return {
        "model": model.name if model else running.model.rpartition("/")[2],
        "age": _age(running.age_seconds),
        "tokens": number_format(running.tokens, force_grouping=True) if running.tokens else "–",
        "speed": number_format(speed, 0) if speed is not None else "–",
        "cost": "$" + number_format(cost, 6) if cost is not None else "–",
    }


def _age(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return (
        _("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)
        if minutes
        else _("{seconds} s").format(seconds=rest)
    )


def running_summary(count: int) -> str:
    return ngettext("{count} answer in progress.", "{count} answers in progress.", count).format(
        count=count
    )


def live_context(staff_context: StaffContext, reading: BranchReading) -> dict[str, Any] | None:
    """Return what the page needs to follow the chat; None if no updates are expected."""
    conversation, messages = reading.conversation, reading.part.messages
    is_visited = conversation.owner.is_visitor
    can_be_taken = is_visited and conversation.closed_at is None
    taken = interventions.current_takeover(staff_context, conversation.pk) if is_visited else None
    is_running = any(
        each.state == each.State.RUNNING
        for generations in reading.generations.values()
        for each in generations
    )
    is_warm = conversation.updated_at > timezone.now() - WARM
    if not reading.part.is_newest or not (is_running or is_warm or is_visited):
        return None
    return {
        "is_watched": True,
        "is_running": is_running,
        "is_visited": is_visited,
        "can_be_taken_over": can_be_taken,
        "last": messages[-1].pk if messages else 0,
        "key": uuid4().hex,
        "canned_replies": (conversation.owner.visitor.site.canned_replies or [])
        if is_visited
        else [],
    } | _holder(staff_context, taken)


def updates_context(
    staff_context: StaffContext, conversation_id: UUID, after: int, typing: str = ""
) -> dict[str, Any]:
    """Return the messages after message `after`, who has taken over, and whether one may.

    `typing` is "1" while the reader types, and "0" once they have stopped.
    """
    update = access.read_new_messages(staff_context, conversation_id, after)
    authors, turns = authors_of(staff_context, update.messages), []
    for message in update.messages:
        attempts = update.generations.get(message.pk, [])
        author = authors.get(message.pk, "")
        turns.append(for_staff(message, attempts[-1] if attempts else None, author))
    taken = _holder(staff_context, interventions.current_takeover(staff_context, conversation_id))
    if typing and taken["holder"] == "own":
        typing_signs.note(conversation_id, TypingSide.PERSON, is_typing=typing == "1")
    taken["is_visitor_typing"] = typing_signs.is_typing(conversation_id, TypingSide.VISITOR)
    taken["can_be_taken_over"] = interventions.is_open_to_takeovers(conversation_id)
    return {"turns": turns, "is_elsewhere": update.is_elsewhere} | taken


def _holder(staff_context: StaffContext, taken: Any) -> dict[str, Any]:
    if taken is None:
        return {"holder": "", "who": ""}
    is_own = taken.person == staff_context.reviewer.user_id
    names = interventions.staff_names(staff_context.reviewer, [taken.person])
    return {"holder": "own" if is_own else "other", "who": names[taken.person]}


def authors_of(staff_context: StaffContext, messages: Iterable[Any]) -> dict[int, str]:
    """Return the names of those who wrote the messages; models have none."""
    written = {each.pk: each.author for each in messages if each.author is not None}
    names = interventions.staff_names(staff_context.reviewer, written.values())
    return {pk: names[author] for pk, author in written.items()}
