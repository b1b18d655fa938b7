"""List the collections that a chat's answers can be based on, and which of them are."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from chat.conversations.models import Conversation
from chat.database.prepared import PreparedQuery
from chat.knowledge.access import collections_of, searched_for_member

MAX_OFFERED = 100

_offered = PreparedQuery(
    lambda user_id: collections_of(user_id).values_list("id", "name")[:MAX_OFFERED]
)


@dataclass(frozen=True, slots=True)
class CollectionChoice:
    """A collection in the menu. A fixed one belongs to the chat's persona or project."""

    id: uuid.UUID
    name: str
    is_chosen: bool
    is_fixed: bool


def choices_for_chat(conversation: Conversation) -> list[CollectionChoice]:
    chosen = conversation.generation_settings.get("collections", ())
    persona_id, project_id = conversation.persona_id, conversation.project_id
    return choices_for(conversation.owner_id, persona_id, project_id, chosen)


def choices_for(
    user_id: int,
    persona_id: uuid.UUID | None,
    project_id: uuid.UUID | None,
    wanted: Iterable[str],
) -> list[CollectionChoice]:
    """Return the choices for a chat with this persona and project, of which some are `wanted`."""
    offered = _offered.all(user_id)
    if not offered:
        return []
    fixed: set[uuid.UUID] = set()
    if persona_id or project_id:
        fixed.update(searched_for_member(user_id, persona_id, project_id, ()))
    chosen = {str(each) for each in wanted}
    return [
        CollectionChoice(pk, name, str(pk) in chosen or pk in fixed, pk in fixed)
        for pk, name in offered
    ]
