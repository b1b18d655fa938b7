"""Fetch projects and tags with an access check.

All code that handles ids from requests uses these functions. They are private: staff see a
project's instructions with the chats that they read, and nothing else.
"""

import uuid
from collections.abc import Iterable
from typing import Any

from django.db.models import Func, JSONField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Lower
from django.db.models.sql.compiler import SQLCompiler

from chat.errors import NotFound, ProjectArchived
from chat.projects.models import ChatTag, Project


def projects_of(user_id: int, *, archived: bool = False) -> QuerySet[Project]:
    """Return the user's projects that are not archived, or those that are, by name."""
    projects = Project.objects.filter(owner=user_id, is_archived=archived)
    return projects.order_by(Lower("name"), "id")


def project_of(user_id: int, project_id: str | uuid.UUID) -> Project:
    """Return a project of the user; raise `NotFound` if there is none."""
    project = Project.objects.filter(owner=user_id, pk=_uuid(project_id)).first()
    if project is None:
        raise NotFound
    return project


def unarchived_project_of(user_id: int, project_id: str | uuid.UUID) -> Project:
    """Return a project of the user, to add chats to it; raise `NotFound` or `ProjectArchived`."""
    project = project_of(user_id, project_id)
    if project.is_archived:
        raise ProjectArchived
    return project


def instructions_of(user_id: int, project_id: uuid.UUID) -> str:
    """Return the instructions of a project of the user; empty if there is none."""
    projects = Project.objects.filter(owner=user_id, pk=project_id)
    return projects.values_list("instructions", flat=True).first() or ""


def tags_of(user_id: int) -> QuerySet[ChatTag]:
    """Return the user's tags, by name."""
    return ChatTag.objects.filter(owner=user_id).order_by("folded_name")


def tag_of(user_id: int, tag_id: str | uuid.UUID) -> ChatTag:
    """Return a tag of the user; raise `NotFound` if there is none."""
    tag = ChatTag.objects.filter(owner=user_id, pk=_uuid(tag_id)).first()
    if tag is None:
        raise NotFound
    return tag


def some_tags_of(user_id: int, tag_ids: Iterable[str]) -> list[ChatTag]:
    """Return these tags of the user; raise `NotFound` if one of them is not theirs."""
    wanted = {_uuid(each) for each in tag_ids}
    tags = list(tags_of(user_id).filter(pk__in=wanted))
    if len(tags) != len(wanted):
        raise NotFound
    return tags


def _uuid(text: str | uuid.UUID) -> uuid.UUID:
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise NotFound from None


class _Pairs(Func):
    """An array of the pairs in all rows, as JSON. An `Aggregate` would group the rows."""

    arity = 2
    output_field = JSONField()

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **more: Any) -> tuple[str, Any]:
        template = "json_group_array(json_array(%(expressions)s))"
        return self.as_sql(compiler, connection, template=template, **more)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **more: Any) -> tuple[str, Any]:
        template = "jsonb_agg(jsonb_build_array(%(expressions)s))"
        return self.as_sql(compiler, connection, template=template, **more)


def tags_of_row() -> Subquery:
    """Return the [name, color] of the tags of the query's chat; for none, an empty list or None."""
    tags = ChatTag.objects.filter(conversations=OuterRef("pk"))
    return Subquery(tags.values(pairs=_Pairs("name", "color")))
