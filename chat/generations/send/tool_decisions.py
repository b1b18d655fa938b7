"""Let a person decide about a call that an answer waits for."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations import access
from chat.conversations.errors import ChatClosed, MessageHidden
from chat.conversations.generation_settings import settings_of, store_settings
from chat.conversations.models import Conversation
from chat.conversations.tool_calls import calls
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import BadRequest, Conflict
from chat.generations.models import Generation
from chat.tools import toolbox
from chat.tools.mcp import servers
from chat.tools.tool import ToolFailed

Scope = Literal["once", "chat", "always"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person says about a call. `arguments` replace the model's if they aren't empty.

    `scope` says whether later calls of the tool are allowed, too.
    """

    is_allowed: bool
    arguments: str = ""
    words: str = ""
    scope: Scope = "once"


@transaction.atomic
def decide(user_id: int, call_id: uuid.UUID, decision: Decision) -> Sequence[StoredToolCall]:
    """Store the decision; return all calls of the answer.

    Raise `NotFound`, `ToolCallDecided`, or `BadRequest` if the arguments don't fit.
    """
    call = calls.find(call_id)
    conversation = access.conversation_of(user_id, call.message.conversation_id, to_change=True)
    if conversation.closed_at:
        raise ChatClosed
    answer = access.message_of(conversation, call.message_id)
    if answer.hidden_at:
        raise MessageHidden
    if answer.generations.filter(state=Generation.State.RUNNING).exists():
        raise Conflict(_("This answer is still being written."))
    _require_fitting(call, decision)
    decided = calls.decide(
        answer,
        call.pk,
        user_id,
        is_allowed=decision.is_allowed,
        arguments=decision.arguments,
        words=decision.words,
    )
    if decision.is_allowed:
        _allow(conversation, decided.identity or decided.tool, decision.scope)
    return calls.of_answer(answer.pk)


def _require_fitting(call: StoredToolCall, decision: Decision) -> None:
    tool = toolbox.named([call.tool]).get(call.tool)
    if not (decision.is_allowed and decision.arguments and tool):
        return
    try:
        tool.read_arguments(decision.arguments)
    except ToolFailed as error:
        words = _("The tool can't be called like this: {reason}")
        raise BadRequest(words.format(reason=error.words)) from None


def _allow(conversation: Conversation, permission: str, scope: Scope) -> None:
    """Allow later calls of a tool in this chat, or in all chats of its owner."""
    if scope == "chat":
        wanted = settings_of(conversation)
        allowed = servers.with_permission(wanted.allowed_tools, permission)
        store_settings(conversation, replace(wanted, allowed_tools=tuple(allowed)))
    elif scope == "always" and settings.TOOLS_ALWAYS_ALLOWED:
        user = User.objects.select_for_update().get(pk=conversation.owner_id)
        preferences = Preferences.of(user)
        allowed = servers.with_permission(preferences.allowed_tools.split(), permission)
        replace(preferences, allowed_tools=" ".join(allowed)).save(user)
