"""Change several conversations of one owner at once: their project, tags and list state.

Each function returns what undoes it.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from chat.conversations.models import Conversation
from chat.projects.models import ChatTag, Project

MAX_SELECTED = 200

#: Values of one field by conversation.
Before = Mapping[uuid.UUID, Any]


def move_to_project(chats: Sequence[Conversation], project: Project | None) -> Before:
    """Put the conversations into a project, or into none; return the projects of those moved."""
    wanted = project.pk if project else None
    return _set(chats, "project_id", dict.fromkeys((each.pk for each in chats), wanted))


def set_states(chats: Sequence[Conversation], state: Conversation.ListState) -> Before:
    """Pin, archive or unarchive the conversations; return the states of those that changed."""
    return _set(chats, "list_state", dict.fromkeys((each.pk for each in chats), int(state)))


def set_back(chats: Sequence[Conversation], field: str, values: Before) -> None:
    """Undo `move_to_project` or `set_states`."""
    _set(chats, field, values)


@transaction.atomic
def _set(chats: Sequence[Conversation], field: str, values: Before) -> Before:
    before = {each.pk: getattr(each, field) for each in chats}
    changed: dict[Any, list[uuid.UUID]] = defaultdict(list)
    for pk, value in values.items():
        if pk in before and before[pk] != value:
            changed[value].append(pk)
    for value, pks in changed.items():
        Conversation.objects.filter(pk__in=pks).update(**{field: value})
    return {pk: before[pk] for pks in changed.values() for pk in pks}


def add_tag(chats: Sequence[Conversation], tag: ChatTag) -> list[uuid.UUID]:
    """Return the conversations that did not have the tag."""
    links = Conversation.tags.through
    ids = [each.pk for each in chats]
    have = set(
        links.objects.filter(chattag=tag, conversation__in=ids).values_list(
            "conversation_id", flat=True
        )
    )
    added = [pk for pk in ids if pk not in have]
    links.objects.bulk_create(
        (links(conversation_id=pk, chattag_id=tag.pk) for pk in added), ignore_conflicts=True
    )
    return added


def remove_tag(chats: Sequence[Conversation], tag: ChatTag) -> None:
    ids = [each.pk for each in chats]
    Conversation.tags.through.objects.filter(chattag=tag, conversation__in=ids).delete()


def set_tags(conversation: Conversation, tags: Iterable[ChatTag]) -> None:
    """Give the conversation these tags and no others."""
    conversation.tags.set(tags)
