"""Import conversations: check the complete file, then store it in small steps."""

import asyncio
from collections.abc import Callable, Sequence
from typing import IO

from django.utils import translation

from chat.conversations.sizes.storage import bytes_left
from chat.database import bulk_writes, threads
from chat.generations.deletion import purge
from chat.generations.process import workers
from chat.import_export import import_reader
from chat.import_export.foreign.message_tree import ForeignConversation
from chat.import_export.import_report import ImportReport
from chat.import_export.import_storage import DraftImport
from chat.import_export.imported_files import ImportedFiles


async def import_conversations(
    user_id: int,
    files: Sequence[IO[bytes]],
    language: str | None = None,
    on_step: Callable[[ImportReport], None] = lambda _report: None,
) -> ImportReport:
    """Add the conversations in `files` to the user's; return what was imported and what wasn't.

    Call `on_step` once the files are checked and after each conversation. Raise `BadRequest`, whose
    message gives the reason, or `StorageFull`; nothing is imported then. They are read in a
    separate thread, so neither the event loop nor the database waits for them.
    """
    await threads.writer.run(workers.close_orphans, by_heartbeat=False)
    # What an interrupted import left takes up room until it is purged.
    await bulk_writes.run_in_steps(purge.purge_drafts(user_id))
    room = await threads.readers.run(bytes_left, user_id)
    with translation.override(language):  # of reasons, and of notes in messages
        report = await asyncio.to_thread(import_reader.check, files, room)
        on_step(report)
        left = None if room is None else room - report.size_bytes
        attached = ImportedFiles(user_id, left, report, lambda: on_step(report))
        draft = DraftImport(user_id)
        conversations = import_reader.conversations_in(files)
        try:
            while conversation := await asyncio.to_thread(next, conversations, None):
                if isinstance(conversation, ForeignConversation):
                    await attached.add_to(conversation)
                report.took(
                    await bulk_writes.run_in_steps(draft.add(conversation)), conversation.title
                )
                on_step(report)
            await threads.writer.run(draft.publish)
        except BaseException:
            await threads.writer.run(draft.abandon)
            raise
    return report
