"""List the tools that a chat's answers may use, and which of them are on."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from chat.accounts.preferences import Preferences
from chat.conversations import access
from chat.conversations.generation_settings import settings_of
from chat.generations import tool_permissions
from chat.generations.send.tool_decisions import allowed_in_chat
from chat.personas.access import persona_of
from chat.upstream import available_models
from chat.web.http.tool_fields import name_of


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool in the menu. A fixed one belongs to the chat's persona."""

    id: str
    name: str
    is_chosen: bool
    is_fixed: bool


@dataclass(frozen=True, slots=True)
class AllowedTool:
    """A tool that the member has allowed for a chat."""

    id: str
    name: str


def choices_for_chat(
    user_id: int,
    conversation_id: uuid.UUID | None,
    persona_id: uuid.UUID | None,
    preferences: Preferences,
    *,
    is_stored: bool = True,
) -> list[OfferedTool]:
    """Return the choices for a chat, or a new one with this persona. Raise `NotFound`.

    A new one may be temporary, and never stored.
    """
    chosen: Sequence[str] = preferences.default_tools.split()
    fixed: Sequence[str] = ()
    if conversation_id:
        wanted = settings_of(access.conversation_of(user_id, conversation_id))
        chosen, fixed = wanted.tools, wanted.tool_names.split()
    elif persona_id:
        fixed = persona_of(user_id, persona_id).tool_names.split()
    return [
        OfferedTool(name, name_of(name), name in {*chosen, *fixed}, name in fixed)
        for name in tool_permissions.offered_to(user_id, is_stored=is_stored)
        if name != "remember" or preferences.uses_memories
    ]


def names_of_chosen(names: Sequence[str], offered: Sequence[str]) -> list[str]:
    """Return the names of chosen tools for people."""
    return [name_of(name) for name in offered if name in names]


def allowed_for_chat(user_id: int, conversation_id: uuid.UUID) -> list[AllowedTool]:
    """Return the tools that needn't ask in a chat. Raise `NotFound`."""
    allowed = allowed_in_chat(user_id, conversation_id)
    return [AllowedTool(each, name_of(each)) for each in allowed]


def can_use_tools(model_id: str) -> bool:
    """Return whether a model calls tools. An unknown one is taken for one that does."""
    model = available_models.known(model_id)
    return model is None or model.tools
