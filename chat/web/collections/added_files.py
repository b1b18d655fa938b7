"""Add a file to a collection, or the files of a ZIP file, and tell what became of each."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from chat.accounts.models import User
from chat.conversations.errors import StorageFull
from chat.database import threads
from chat.errors import BadRequest, ChatError
from chat.indexing import archives, documents
from chat.indexing.archives import ArchivedFile
from chat.indexing.errors import EmptyArchive
from chat.knowledge.models import Collection, Document

#: Errors of one file, after which others can be added. After others the request can be repeated.
REFUSALS = (BadRequest, StorageFull)


@dataclass
class AddedFiles:
    """What was added, and what wasn't: names, each with the reason."""

    added: list[Document] = field(default_factory=list)
    refused: list[tuple[str, ChatError]] = field(default_factory=list)

    def refuse(self, name: str, why: ChatError) -> None:
        """Note a refused file. Without its frames, the error doesn't keep the file in memory."""
        self.refused.append((name, why.with_traceback(None)))

    def as_dict(self) -> dict[str, Any]:
        return {
            "added": [{"id": str(each.pk), "name": each.name} for each in self.added],
            "refused": [{"name": name, "reason": why.public} for name, why in self.refused],
        }


async def add_file(collection: Collection, user: User, path: str, content: bytes) -> AddedFiles:
    """Add a file. Raise an error if nothing was added, and there is one reason for that."""
    result = AddedFiles()
    async for file in _files(path, content):
        if file.error:
            result.refuse(file.path, file.error)
            continue
        try:
            document = await threads.writer.run(
                documents.add, collection, user, file.path, file.content
            )
            result.added.append(document)
        except REFUSALS as error:
            result.refuse(file.path, error)
    if not result.added and len(result.refused) <= 1:
        raise result.refused.pop()[1] if result.refused else EmptyArchive
    return result


async def _files(path: str, content: bytes) -> AsyncIterator[ArchivedFile]:
    """Yield the file, or those in the ZIP file, which are unpacked one by one in a thread."""
    if not await asyncio.to_thread(archives.is_archive, path, content):
        yield ArchivedFile(path, content)
        return
    files = archives.files_in(content)
    try:
        while file := await asyncio.to_thread(next, files, None):
            yield file
    except BadRequest as error:
        yield ArchivedFile(path, b"", error)
