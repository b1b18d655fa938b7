"""Run an import, and stream how far it is.

A script asks for server-sent events. It gets one after the check of the file, others while chats
are stored, and the result at the end. A file that is refused gets an ordinary response.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import IO

import msgspec
from django.utils import translation

from chat.database import bulk_writes
from chat.errors import ChatError
from chat.import_export import importing
from chat.import_export.import_report import ImportReport
from chat.lib import sse
from chat.web.import_export import presenters

PAUSE_SECONDS = 0.5  # between two events


class RunningImport:
    """An import that goes on if the request ends."""

    def __init__(self, user_id: int, files: Sequence[IO[bytes]]) -> None:
        self.report = ImportReport()
        self._changed = asyncio.Event()
        self._language = translation.get_language()
        work = importing.import_conversations(user_id, files, self._language, self._on_step)
        self._task = asyncio.create_task(bulk_writes.run_exclusively(user_id, work))
        self._task.add_done_callback(lambda _task: self._changed.set())

    async def checked(self) -> None:
        """Wait until the file is checked; raise what refuses it."""
        try:
            await self._changed.wait()
        except asyncio.CancelledError:
            self._task.cancel()  # only the wait for the import
            raise
        if self._task.done():
            self._task.result()

    async def finished(self) -> ImportReport:
        return await self._task

    async def events(self) -> AsyncGenerator[bytes]:
        try:
            while not self._task.done():
                self._changed.clear()
                with translation.override(self._language):
                    event = _event(presenters.progress(self.report))
                yield event
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(self._task), PAUSE_SECONDS)
                if not self._task.done():
                    await self._changed.wait()
            with translation.override(self._language):
                event = _event({"result": presenters.result(self._task.result())})
            yield event
        except ChatError as refusal:
            yield _event({"problem": refusal.public})
        finally:
            self._task.cancel()

    def _on_step(self, report: ImportReport) -> None:
        self.report = report
        self._changed.set()


def _event(content: object) -> bytes:
    return sse.frame(msgspec.json.encode(content))
