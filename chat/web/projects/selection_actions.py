"""The actions on selected chats, each with the fields that undo it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.conversations import legal_hold, selection
from chat.conversations.access import conversations_of
from chat.conversations.models import Conversation
from chat.errors import BadRequest, NotFound
from chat.generations.deletion.soft_delete import delete_several
from chat.projects import access
from chat.web.http.toasts import NAMES, READING_SECONDS, STATES

UNDO_SECONDS = 3 * READING_SECONDS
ListState = Conversation.ListState
Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, the fields that undo it, and the chats whose pages are gone."""

    words: str
    undo: Fields = ()
    seconds: int = UNDO_SECONDS
    gone: tuple[UUID, ...] = ()


def move(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    chats, wanted = conversations_of(user_id, ids), str(fields["project"])
    project = access.unarchived_project_of(user_id, wanted) if wanted else None
    before = selection.move_to_project(chats, project)
    count = len(chats)
    if project:
        words = ngettext("Moved to “{name}”.", "{count} chats moved to “{name}”.", count).format(
            count=count, name=project.name
        )
    else:
        words = ngettext(
            "Removed from its project.", "{count} chats removed from their projects.", count
        ).format(count=count)
    return Done(words, _undo_values("projects", {pk: str(was or "") for pk, was in before.items()}))


def move_back(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    was = _values(ids, fields.getlist("projects"))
    for each in set(was.values()):
        if each:
            access.project_of(user_id, each)  # or raise
    values = {pk: UUID(each) if each else None for pk, each in was.items()}
    selection.set_back(conversations_of(user_id, ids), "project_id", values)
    return Done(_("Undone."), seconds=READING_SECONDS)


def tag(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    one = access.tag_of(user_id, str(fields["tag"]))
    added = selection.add_tag(conversations_of(user_id, ids), one)
    words = ngettext("Tagged “{name}”.", "{count} chats tagged “{name}”.", len(ids)).format(
        count=len(ids), name=one.name
    )
    return Done(words, (*_chats(added), ("untag", str(one.pk))) if added else ())


def untag(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    one = access.tag_of(user_id, str(fields["untag"]))
    selection.remove_tag(conversations_of(user_id, ids), one)
    return Done(_("Tag “{name}” removed.").format(name=one.name), seconds=READING_SECONDS)


def set_state(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    target = STATES.get(str(fields["state"]))
    if target is None:
        raise BadRequest(_("Unknown chat state."))
    chats = conversations_of(user_id, ids)
    before = selection.set_states(chats, target)
    count = len(chats)
    if target == ListState.ARCHIVED:
        words = ngettext("{count} chat archived.", "{count} chats archived.", count)
    elif target == ListState.PINNED:
        words = ngettext("{count} chat pinned.", "{count} chats pinned.", count)
    else:
        words = ngettext("{count} chat unarchived.", "{count} chats unarchived.", count)
    undo = _undo_values("states", {pk: NAMES[ListState(was)] for pk, was in before.items()})
    gone = tuple(before) if target == ListState.ARCHIVED else ()
    return Done(words.format(count=count), undo, gone=gone)


def set_states_back(user_id: int, ids: list[str], fields: QueryDict) -> Done:
    was = _values(ids, fields.getlist("states"))
    if not set(was.values()) <= STATES.keys():
        raise BadRequest(_("Unknown chat state."))
    values = {pk: int(STATES[each]) for pk, each in was.items()}
    selection.set_back(conversations_of(user_id, ids), "list_state", values)
    return Done(_("Undone."), seconds=READING_SECONDS)


def delete(user_id: int, ids: list[str], _fields: QueryDict) -> Done:
    """Delete the chats, except those under legal hold, which need confirmation one by one."""
    chats = conversations_of(user_id, ids)
    due = [each for each in chats if not legal_hold.latest_purge_at(each)]
    delete_several(due)
    count, kept = len(due), len(chats) - len(due)
    words = ngettext("{count} chat deleted.", "{count} chats deleted.", count).format(count=count)
    if kept:
        more = ngettext(
            "{count} chat under review was kept. Delete it from its own menu.",
            "{count} chats under review were kept. Delete each from its own menu.",
            kept,
        ).format(count=kept)
        words = f"{words} {more}"
    gone, seconds = tuple(each.pk for each in due), int(settings.UNDO_SECONDS)
    if not gone or seconds < 1:
        return Done(words, seconds=UNDO_SECONDS, gone=gone)
    return Done(words, (*_chats(gone), ("restore", "yes")), seconds, gone)


def restore(user_id: int, ids: list[str], _fields: QueryDict) -> Done:
    conversations = conversations_of(user_id, ids, deleted=True)
    pks = [each.pk for each in conversations]
    restored = Conversation.all_objects.filter(pk__in=pks).update(purge_after=None)
    words = ngettext("{count} chat restored.", "{count} chats restored.", restored)
    return Done(words.format(count=restored), seconds=READING_SECONDS)


#: By the form field that asks for each. Those that undo come first: they name the others' fields.
ACTIONS = {
    "projects": move_back,
    "states": set_states_back,
    "untag": untag,
    "restore": restore,
    "project": move,
    "tag": tag,
    "state": set_state,
    "delete": delete,
}


def _chats(ids: Sequence[UUID]) -> Fields:
    return tuple(("chat", str(pk)) for pk in ids)


def _undo_values(name: str, before: dict[UUID, str]) -> Fields:
    """Return each chat, and its former value in a field of the same order."""
    return _chats(list(before)) + tuple((name, was) for was in before.values())


def _values(ids: list[str], values: list[str]) -> dict[UUID, Any]:
    if len(ids) != len(values):
        raise BadRequest
    try:
        return dict(zip(map(UUID, ids), values, strict=True))
    except ValueError:
        raise NotFound from None
