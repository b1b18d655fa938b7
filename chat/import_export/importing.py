"""Import conversations: check the complete file, then store it in small steps."""

import asyncio
from typing import IO

from chat.conversations.sizes.storage import bytes_left
from chat.database import bulk_writes, threads
from chat.import_export import import_reader
from chat.import_export.import_storage import HiddenImport


async def import_conversations(user_id: int, file: IO[bytes]) -> int:
    """Add the conversations in `file` to the user's; return how many.

    Raise `BadRequest`, whose message gives the reason, or `StorageFull`; nothing is imported then.
    The file is read in a separate thread, so neither the event loop nor the database waits for it.
    """
    room = await threads.readers.run(bytes_left, user_id)
    await asyncio.to_thread(import_reader.check, file, room)
    hidden = HiddenImport(user_id)
    conversations = import_reader.conversations_in(file)
    try:
        while found := await asyncio.to_thread(next, conversations, None):
            await bulk_writes.run_in_steps(hidden.add(found))
        return await threads.writer.run(hidden.show)
    except BaseException:
        await threads.writer.run(hidden.abandon)
        raise
