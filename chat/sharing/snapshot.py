"""Copy a branch to share: the text of each message, and only the chosen details.

What was not chosen is not copied, so it cannot leak when the link is shown.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.conversations import access, turns
from chat.conversations.attached_files import without_originals
from chat.conversations.models import Conversation, Message
from chat.conversations.sources.sources import passages_of, prefetch
from chat.conversations.tool_calls import calls as tool_calls
from chat.errors import CannotShare
from chat.generations.models import Generation
from chat.knowledge.citations import cited_numbers
from chat.sharing.drawn_images import drawn_for
from chat.upstream.available_models import name_of

SHARED_ROLES = {Message.Role.USER, Message.Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class SharedBranch:
    """The part of a branch that can be shared: everything up to its last finished answer."""

    messages: list[Message]
    generations: dict[int, Generation]  # the latest one of each message

    @property
    def last(self) -> Message | None:
        return self.messages[-1] if self.messages else None

    @property
    def answers(self) -> int:
        return sum(
            each.role == Message.Role.ASSISTANT and each.text != "" for each in self.messages
        )

    @property
    def questions(self) -> int:
        return sum(each.role == Message.Role.USER for each in self.messages)


def branch_of(
    conversation: Conversation, last_id: int | None = None, *, to_copy: bool = False
) -> SharedBranch:
    """Return the branch that ends with that message, or the branch used last.

    Raise `CannotShare` if it is empty or exceeds the limits, which is checked before its text is
    loaded.
    """
    if last_id is None:
        end = turns.last_message(conversation)
    else:
        end = access.message_of(conversation, last_id)
    path = turns.path_of(end) if end else []
    generations = _latest([each.pk for each in path])
    while path and not _is_answered(path[-1], generations.get(path[-1].pk)):
        path.pop()
    shared = [each.pk for each in path if each.role in SHARED_ROLES]
    _require_fits(shared)
    messages = turns.load_messages(shared, to_copy=to_copy)
    prefetch(messages)
    tool_calls.prefetch(messages)
    return SharedBranch(messages, generations)


def _latest(message_ids: list[int]) -> dict[int, Generation]:
    generations = Generation.objects.filter(message__in=message_ids).order_by("started_at")
    return {each.message_id: each for each in generations}


def _require_fits(message_ids: list[int]) -> None:
    if not message_ids:
        raise CannotShare(_("There's no answer to share yet."))
    most = settings.SHARED_MESSAGES_LIMIT
    if len(message_ids) > most:
        words = _("This chat has too many messages to share (the limit is {most}).")
        raise CannotShare(words.format(most=number_format(most, force_grouping=True)))
    most = settings.SHARED_CHARACTERS_LIMIT
    if _total_characters(message_ids) > most:
        words = _("This chat is too long to share (the limit is {most} characters).")
        raise CannotShare(words.format(most=number_format(most, force_grouping=True)))


def snapshot_turns(
    branch: SharedBranch, with_reasoning: bool, with_models: bool
) -> list[dict[str, Any]]:
    """Return the turns of a shared link: the text, and only the chosen details."""
    return [
        _turn(each, branch.generations.get(each.pk), with_reasoning, with_models)
        for each in branch.messages
    ]


def _is_answered(message: Message, generation: Generation | None) -> bool:
    is_running = generation is not None and generation.state == Generation.State.RUNNING
    if message.role != Message.Role.ASSISTANT or is_running:
        return False
    return Message.objects.filter(pk=message.pk).exclude(text="").exists()


def _turn(
    message: Message, generation: Generation | None, with_reasoning: bool, with_models: bool
) -> dict[str, Any]:
    is_question = message.role == Message.Role.USER
    turn: dict[str, Any] = {
        "role": message.role,
        "text": without_originals(message.text) if is_question else message.text,
        "message": message.original_id,
    }
    if message.is_imported:
        turn["imported"] = True
    if message.hidden_at:
        return turn | {"hidden": True}
    if with_reasoning and message.reasoning:
        turn["reasoning"] = message.reasoning
    if (passages := passages_of(message)) is not None:
        cited = cited_numbers(message.text, {each.number for each in passages})
        turn["sources"] = [
            {"number": each.number, "name": each.name, "page": each.page}
            for each in passages
            if each.number in cited
        ]
    if drawn := drawn_for(message):
        turn["drawn"] = drawn
    if generation:
        turn["state"] = generation.state
        if with_models and not generation.hides_model:
            turn["model"] = name_of(generation.model)
    return turn


def _total_characters(ids: list[int]) -> int:
    """Return the total length of these messages, as counted by the database."""
    length = Length("text") + Length("reasoning")
    total: int | None = Message.objects.filter(pk__in=ids).aggregate(sum=Sum(length))["sum"]
    return total or 0
