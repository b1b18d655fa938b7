"""Let a person decide about a call that an answer waits for."""

import uuid
from collections.abc import Iterable, Sequence
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
from chat.errors import BadRequest, Conflict, Forbidden
from chat.generations.models import Generation
from chat.tools import toolbox
from chat.tools.mcp import servers
from chat.tools.tool import ToolFailed

Scope = Literal["once", "chat", "always"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person says about a call. If they allow it, `arguments` that aren't empty replace the
    model's, and `scope` says whether later calls of the tool are allowed, too.
    """

    is_allowed: bool
    arguments: str = ""
    words: str = ""
    scope: Scope = "once"


@transaction.atomic
def decide(user_id: int, call_id: uuid.UUID, decision: Decision) -> Sequence[StoredToolCall]:
    """Store the decision; return all calls of the answer.

    Raise `NotFound`, `ToolCallDecided`, `BadRequest` if the arguments don't fit, or `Forbidden` if
    the site asks in each chat.
    """
    if decision.is_allowed and decision.scope == "always" and not settings.TOOLS_ALWAYS_ALLOWED:
        raise Forbidden(_("On this site, tools ask in each chat. Allow it for this chat instead."))
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
        arguments=decision.arguments if decision.is_allowed else "",
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


def allowed_in_chat(user_id: int, conversation_id: uuid.UUID) -> tuple[str, ...]:
    """Return the permissions for tools that needn't ask in this chat. Raise `NotFound`."""
    return settings_of(access.conversation_of(user_id, conversation_id)).allowed_tools


@transaction.atomic
def revoke_in_chat(user_id: int, conversation_id: uuid.UUID, permission: str) -> None:
    """Have a tool ask again in this chat. Raise `NotFound`."""
    conversation = access.conversation_of(user_id, conversation_id, to_change=True)
    _set_allowed(conversation, set(settings_of(conversation).allowed_tools) - {permission})


def _set_allowed(conversation: Conversation, permissions: Iterable[str]) -> None:
    wanted = replace(settings_of(conversation), allowed_tools=tuple(sorted(permissions)))
    store_settings(conversation, wanted)


def _allow(conversation: Conversation, permission: str, scope: Scope) -> None:
    """Allow later calls of a tool in this chat, or in all chats of its owner."""
    if scope == "chat":
        before = settings_of(conversation).allowed_tools
        _set_allowed(conversation, servers.with_permission(before, permission))
    elif scope == "always":
        user = User.objects.select_for_update().get(pk=conversation.owner_id)
        preferences = Preferences.of(user)
        allowed = servers.with_permission(preferences.allowed_tools.split(), permission)
        replace(preferences, allowed_tools=" ".join(allowed)).save(user)
