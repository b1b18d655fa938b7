"""Page through the list of conversations (pinned first, then newest) and the archive.

A page starts after the sort key of the previous page's last entry, so entries are neither repeated
nor skipped when the list changes in between.
"""

import re
from datetime import datetime
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.database.prepared import PreparedQuery
from chat.errors import BadRequest, NotFound
from chat.generations.models import Generation
from chat.lib.moments import moment_in
from chat.projects.access import tag_of, tags_of_row
from chat.projects.models import ChatTag, Project

PAGE_LENGTH = 50
MAX_ENTRIES = 1000
MAX_RECENT_PROJECTS = 5
ListState = Conversation.ListState


class ListEntry(NamedTuple):
    """What the lists show of a conversation."""

    id: UUID
    title: str
    list_state: int
    updated_at: datetime
    is_unread: bool
    api_key: int | None
    is_running: bool
    listed_tags: list[list[str]] | None
    project_id: UUID | None
    project_name: str | None
    is_project_archived: bool | None

    @property
    def pk(self) -> UUID:
        return self.id


class ListCursor(NamedTuple):
    """The position of an entry: the values that the list is sorted by."""

    list_state: int
    updated_at: datetime
    id: UUID

    @classmethod
    def read(cls, text: str) -> Self:
        try:
            state, moment, name = text.split(",")
            return cls(ListState(int(state)), moment_in(moment), UUID(name))
        except ValueError:
            raise BadRequest(_("The list has changed. Reload the page.")) from None

    def __str__(self) -> str:
        return f"{self.list_state:d},{self.updated_at.isoformat()},{self.id}"

    def below(self) -> Q:
        later = Q(updated_at__lt=self.updated_at) | Q(updated_at=self.updated_at, id__lt=self.id)
        return Q(list_state__lt=self.list_state) | Q(list_state=self.list_state) & later


def list_context(request: HttpRequest, user_id: int) -> dict[str, Any]:
    """Return the template context of the list for `?before=` and `?count=` (entries now shown).

    `?tag=` keeps only the chats with this tag; one that was deleted is ignored.
    """
    if tag := _tag(request, user_id):
        return _page(request, user_id, _listed(user_id).filter(tags=tag)) | {"tag": tag}
    context = _page(request, user_id, _listed(user_id), _first_page)
    if "above" not in context:  # the chats used last are on the first page
        context["recent_projects"] = _recent_projects(context["conversations"])
    return context


def archive_context(request: HttpRequest, user_id: int) -> dict[str, Any]:
    archived = Conversation.objects.filter(owner=user_id, list_state=ListState.ARCHIVED)
    return _page(request, user_id, archived)


def project_context(request: HttpRequest, project: Project) -> dict[str, Any]:
    """Return the template context of a project's chats, archived ones last."""
    conversations = Conversation.objects.filter(owner=project.owner_id, project=project)
    return _page(request, project.owner_id, conversations) | {"project": project}


def _tag(request: HttpRequest, user_id: int) -> ChatTag | None:
    try:
        return tag_of(user_id, tag_id) if (tag_id := request.GET.get("tag")) else None
    except NotFound:
        return None


def _listed(user_id: int) -> QuerySet[Conversation]:
    return Conversation.objects.filter(owner=user_id, list_state__gt=ListState.ARCHIVED)


def _entries(conversations: QuerySet[Conversation], user_id: int, count: int) -> QuerySet[Any, Any]:
    conversations = conversations.order_by("-list_state", "-updated_at", "-id")
    with_state = conversations.annotate(is_running=Exists(_running(user_id)))
    with_state = with_state.annotate(
        listed_tags=tags_of_row(),
        project_name=F("project__name"),
        is_project_archived=F("project__is_archived"),
    )
    return with_state.values_list(*ListEntry._fields)[:count]


_first_page = PreparedQuery(lambda user_id: _entries(_listed(user_id), user_id, PAGE_LENGTH + 1))


def _page(
    request: HttpRequest,
    user_id: int,
    matching: QuerySet[Conversation],
    first_page: PreparedQuery[Any] | None = None,
) -> dict[str, Any]:
    """Return a page of `matching`; `first_page` is the query for the first one."""
    context: dict[str, Any] = {}
    if before := request.GET.get("before"):
        context["above"] = spot = ListCursor.read(before)
        matching = matching.filter(spot.below())
    length = _length(request.GET.get("count", ""))
    if first_page and not before and length == PAGE_LENGTH:
        rows: Any = first_page.all(user_id)
    else:
        rows = _entries(matching, user_id, length + 1)
    conversations = [ListEntry(*row) for row in rows]
    context |= _rows_context(conversations[:length])
    if len(conversations) > length:
        last = conversations[length - 1]
        context["older"] = str(ListCursor(last.list_state, last.updated_at, last.id))
    return context


def row_context(conversation: Conversation) -> dict[str, Any]:
    """Return the template context of one conversation's row."""
    rows = _entries(Conversation.objects.filter(pk=conversation.pk), conversation.owner_id, 1)
    return _rows_context([ListEntry(*row) for row in rows])


def _rows_context(entries: list[ListEntry]) -> dict[str, Any]:
    return {
        "conversations": entries,
        "running": {each.id for each in entries if each.is_running},
    }


def _recent_projects(entries: list[ListEntry]) -> list[tuple[UUID, str]]:
    """Return the id and name of the projects of these chats, those used last first.

    Read with the chats, they take no query of their own on the page that is requested most.
    """
    projects: dict[UUID, str] = {}
    for each in sorted(entries, key=lambda entry: entry.updated_at, reverse=True):
        if each.project_id and each.project_name and not each.is_project_archived:
            projects.setdefault(each.project_id, each.project_name)
    return list(projects.items())[:MAX_RECENT_PROJECTS]


def _running(user_id: int) -> QuerySet[Generation]:
    """Return the user's running answers in the conversation of the outer query."""
    running = Generation.objects.filter(owner=user_id, state=Generation.State.RUNNING)
    return running.filter(message__conversation=OuterRef("pk"))


def _length(text: str) -> int:
    """Return how many entries to show: at least a page, and all that the browser shows already."""
    shown = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0
    return min(max(shown, PAGE_LENGTH), MAX_ENTRIES)
