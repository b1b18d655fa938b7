"""The copy: of each turn its words, and of the rest only what was chosen.

What is not in it cannot leak: nothing is left out when it is shown.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from chat.conversations import access, turns
from chat.conversations.models import Conversation, Message
from chat.errors import CannotShare
from chat.relay.models import Generation
from chat.relay.models_on_offer import known

SHARED_ROLES = {Message.Role.USER, Message.Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Branch:
    """What can be shared: all up to the last answer that is there."""

    messages: list[Message]
    generations: dict[int, Generation]  # the latest, by message

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
) -> Branch:
    """The branch that ends with that message; without one, the branch that was used last."""
    if last_id is None:
        end = turns.last_said(conversation)
    else:
        end = access.message_of(conversation, last_id)
    path = turns.path_of(end, to_copy=to_copy) if end else []
    found = Generation.objects.filter(message__in=[each.pk for each in path])
    latest = {each.message_id: each for each in found.order_by("started_at")}
    while path and not _is_answered(path[-1], latest.get(path[-1].pk)):
        path.pop()
    return Branch([each for each in path if each.role in SHARED_ROLES], latest)


def require_fits(branch: Branch) -> None:
    """A copy that this site keeps; otherwise `CannotShare` says why not."""
    if not branch.messages:
        raise CannotShare(_("There is no answer to share yet."))
    most = settings.SHARED_MESSAGES_LIMIT
    if len(branch.messages) > most:
        words = _("This chat has more messages than a link can show ({most}).")
        raise CannotShare(words.format(most=number_format(most, force_grouping=True)))
    most = settings.SHARED_CHARACTERS_LIMIT
    if sum(len(each.text) + len(each.reasoning) for each in branch.messages) > most:
        words = _("This chat is longer than what a link can show ({most} characters).")
        raise CannotShare(words.format(most=number_format(most, force_grouping=True)))


def copy_of(branch: Branch, with_reasoning: bool, with_models: bool) -> list[dict[str, Any]]:
    return [
        _turn(each, branch.generations.get(each.pk), with_reasoning, with_models)
        for each in branch.messages
    ]


def _is_answered(message: Message, generation: Generation | None) -> bool:
    is_running = generation is not None and generation.state == Generation.State.RUNNING
    return message.role == Message.Role.ASSISTANT and message.text != "" and not is_running


def _turn(
    message: Message, generation: Generation | None, with_reasoning: bool, with_models: bool
) -> dict[str, Any]:
    turn: dict[str, Any] = {"role": message.role, "text": message.text}
    if message.is_imported:
        turn["imported"] = True
    if message.hidden_at:
        return turn | {"hidden": message.pk}
    if with_reasoning and message.reasoning:
        turn["reasoning"] = message.reasoning
    if generation:
        turn["state"] = generation.state
        if with_models:
            model = known(generation.model)
            turn["model"] = model.name if model else generation.model
    return turn
