"""Fetch projects and tags with an access check.

All code that handles ids from requests uses these functions. They are private: staff see a
project's instructions with the chats that they read, and nothing else.
"""

import uuid
from collections.abc import Iterable

from django.db.models import QuerySet
from django.db.models.functions import Lower

from chat.errors import NotFound, ProjectArchived
from chat.projects.models import ChatTag, Project


def projects_of(user_id: int, *, archived: bool = False) -> QuerySet[Project]:
    """Return the user's projects that are not archived, or those that are, by name."""
    found = Project.objects.filter(owner=user_id, is_archived=archived)
    return found.order_by(Lower("name"), "id")


def project_of(user_id: int, project_id: str | uuid.UUID) -> Project:
    """Return a project of the user; raise `NotFound` if there is none."""
    found = Project.objects.filter(owner=user_id, pk=_uuid(project_id)).first()
    if found is None:
        raise NotFound
    return found


def unarchived_project_of(user_id: int, project_id: str | uuid.UUID) -> Project:
    """Return a project of the user, to add chats to it; raise `NotFound` or `ProjectArchived`."""
    found = project_of(user_id, project_id)
    if found.is_archived:
        raise ProjectArchived
    return found


def instructions_of(user_id: int, project_id: uuid.UUID) -> str:
    """Return the instructions of a project of the user; empty if there is none."""
    found = Project.objects.filter(owner=user_id, pk=project_id)
    return found.values_list("instructions", flat=True).first() or ""


def tags_of(user_id: int) -> QuerySet[ChatTag]:
    """Return the user's tags, by name."""
    return ChatTag.objects.filter(owner=user_id).order_by("folded_name")


def tag_of(user_id: int, tag_id: str | uuid.UUID) -> ChatTag:
    """Return a tag of the user; raise `NotFound` if there is none."""
    found = ChatTag.objects.filter(owner=user_id, pk=_uuid(tag_id)).first()
    if found is None:
        raise NotFound
    return found


def some_tags_of(user_id: int, tag_ids: Iterable[str]) -> list[ChatTag]:
    """Return these tags of the user; raise `NotFound` if one of them is not theirs."""
    wanted = {_uuid(each) for each in tag_ids}
    found = list(tags_of(user_id).filter(pk__in=wanted))
    if len(found) != len(wanted):
        raise NotFound
    return found


def _uuid(text: str | uuid.UUID) -> uuid.UUID:
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise NotFound from None
