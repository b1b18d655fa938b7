"""Put imported conversations into the projects and give them the tags that their files name."""

import uuid
from collections import defaultdict
from collections.abc import Iterator

from msgspec import UNSET

from chat.conversations.models import Conversation
from chat.import_export.file_format import ConversationFile
from chat.lib.text import one_line
from chat.projects.models import MAX_PROJECTS, MAX_TAGS, ChatTag, Project

IDS_AT_ONCE = 500
Groups = dict[str, list[uuid.UUID]]


class ImportedGroups:
    """The projects and tags of an import, by name.

    Those that the user has are used; others are created, as long as there is room for them.
    """

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id
        self._projects: Groups = defaultdict(list)
        self._tags: Groups = defaultdict(list)

    def note(self, conversation_id: uuid.UUID, file: ConversationFile) -> None:
        if file.project is not UNSET and (name := one_line(file.project)):
            self._projects[name].append(conversation_id)
        names = file.tags if file.tags is not UNSET else []
        for name in {ChatTag.fold(each): one_line(each) for each in names}.values():
            if name:
                self._tags[name].append(conversation_id)

    def apply(self) -> None:
        """Call it in a transaction."""
        for name, ids in self._projects.items():
            if project := self._project(name):
                for some in _batches(ids):
                    Conversation.all_objects.filter(pk__in=some).update(project=project)
        links = Conversation.tags.through
        for name, ids in self._tags.items():
            if tag := self._tag(name):
                links.objects.bulk_create(
                    (links(conversation_id=pk, chattag_id=tag.pk) for pk in ids),
                    batch_size=IDS_AT_ONCE,
                    ignore_conflicts=True,
                )

    def _project(self, name: str) -> Project | None:
        mine = Project.objects.filter(owner=self._user_id)
        if project := mine.filter(name=name).order_by("created_at", "pk").first():
            return project
        if mine.count() >= MAX_PROJECTS:
            return None
        return Project.objects.create(owner_id=self._user_id, name=name)

    def _tag(self, name: str) -> ChatTag | None:
        mine, folded = ChatTag.objects.filter(owner=self._user_id), ChatTag.fold(name)
        if tag := mine.filter(folded_name=folded).first():
            return tag
        if mine.count() >= MAX_TAGS:
            return None
        return ChatTag.objects.create(owner_id=self._user_id, name=name, folded_name=folded)


def _batches(ids: list[uuid.UUID]) -> Iterator[list[uuid.UUID]]:
    for start in range(0, len(ids), IDS_AT_ONCE):
        yield ids[start : start + IDS_AT_ONCE]
