"""Read an uploaded export. Nothing in it is trusted, not even its sizes.

A file is read twice: first it is checked completely, then it is stored. Only one conversation is in
memory at a time, however long the file is. Errors are `BadRequest` with a message for the user.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import IO

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.conversations.sizes.counted import MESSAGE_BYTES
from chat.conversations.sizes.storage import CONVERSATION_BYTES, storage_full
from chat.errors import BadRequest
from chat.import_export import json_text
from chat.import_export.exported_files import ExportedFiles, is_attached
from chat.import_export.file_format import FORMAT, VERSION, ConversationFile, Stamp
from chat.import_export.foreign.json_elements import VALUES_PER_MESSAGE, has_more_values
from chat.import_export.foreign.message_tree import ForeignConversation
from chat.import_export.foreign.recognition import NotAnExport, foreign_conversations
from chat.import_export.import_report import ImportReport
from chat.import_export.import_storage import size_of
from chat.import_export.json_text import Source, Utf8Stream
from chat.import_export.tree_validation import require_tree
from chat.lib import zip_files

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
# Kinds of our files that are not imported.
NOT_TAKEN = {
    "account", "collection", "costs", "personas", "prompts", "projects", "tags", "links",
}  # fmt: skip
MARK = b'{"format":"runnel"'  # the beginning of each of our files
UNKNOWN = gettext_lazy(
    "This file isn't an export from Runnel, ChatGPT, Claude, Open WebUI or LibreChat."
    " Nothing was imported."
)
BROKEN = gettext_lazy("This file is damaged or incomplete. Nothing was imported.")
NEWER = gettext_lazy("This file comes from a newer version of Runnel. Nothing was imported.")
TOO_LARGE = gettext_lazy("This file is too large to import at once. Nothing was imported.")


Files = IO[bytes] | Sequence[IO[bytes]]


def check(files: Files, room_bytes: int | None = None) -> ImportReport:
    """Read the complete files; return what can be imported and what can't.

    Raise `BadRequest` if anything in our own format is invalid, or if nothing can be imported, and
    `StorageFull` if it exceeds `room_bytes`; None is no limit.
    """
    report = ImportReport()
    messages = 0
    for conversation in conversations_in(files, report):
        report.total += 1
        messages += len(conversation.messages)
        if messages > settings.MAX_IMPORT_MESSAGES:
            raise BadRequest(TOO_LARGE)
        report.size_bytes += CONVERSATION_BYTES
        report.size_bytes += sum(
            size_of(message) + MESSAGE_BYTES for message in conversation.messages
        )
        if room_bytes is not None and report.size_bytes > room_bytes:
            raise storage_full()
    if not report.total and report.reasons:
        words = _("No chat in this file can be imported. {problem} Nothing was imported.")
        raise BadRequest(words.format(problem=report.reasons[0][1]))
    if not report.total:
        raise BadRequest(_("This file contains no chats."))
    return report


def conversations_in(
    files: Files, report: ImportReport | None = None
) -> Iterator[ConversationFile]:
    """Yield the conversations of JSON files, and of zip files of these.

    Raise `BadRequest` if none of the files is an export; others that aren't are ignored.
    """
    several = files if isinstance(files, Sequence) else [files]
    if sum(file.seek(0, 2) for file in several) > settings.MAX_IMPORT_BYTES:
        raise BadRequest(TOO_LARGE)
    reading = _Reading(report or ImportReport())
    for file in several:
        file.seek(0)
        is_zip = file.read(2) == b"PK"
        file.seek(0)
        yield from reading.zip_file(file) if is_zip else reading.json_file(file)
    if reading.unknown_files and not reading.exports:
        raise BadRequest(UNKNOWN)


class _Reading:
    """Reads the files of an import, and counts those that are exports and those that aren't."""

    def __init__(self, report: ImportReport) -> None:
        self.exports = self.unknown_files = 0
        self._report = report

    def zip_file(self, file: IO[bytes]) -> Iterator[ConversationFile]:
        """Yield the conversations in a zip file, which may have much else in it."""
        left = settings.MAX_IMPORT_BYTES * zip_files.UNPACKED
        try:
            with zip_files.open_zip(file) as archive:
                files = ExportedFiles(archive)
                for info in archive.infolist():
                    if not _may_have_chats(info.filename):
                        continue
                    most = min(left, settings.MAX_IMPORT_BYTES)
                    with zip_files.open_entry(archive, info, most) as entry:
                        for conversation in self.json_file(entry):
                            if isinstance(conversation, ForeignConversation):
                                conversation.exported_files = files
                            yield conversation
                    left -= entry.read_bytes
        except zip_files.ZipTooLarge:
            raise BadRequest(TOO_LARGE) from None
        except zip_files.DAMAGES:
            raise BadRequest(BROKEN) from None

    def json_file(self, file: Source) -> Iterator[ConversationFile]:
        stream = Utf8Stream(file)
        try:
            yield from _in_json(stream, self._report)
            self.exports += 1
        except NotAnExport:
            self.unknown_files += 1


def _may_have_chats(name: str) -> bool:
    return name.endswith(".json") and not name.startswith("__MACOSX/") and not is_attached(name)


def _in_json(stream: Utf8Stream, report: ImportReport) -> Iterator[ConversationFile]:
    """Yield the conversations of a file; raise `NotAnExport` if it isn't one."""
    start = stream.beginning.lstrip()[:1]
    if start == b"{":  # ours, or one chat: it is decoded as a whole
        data = stream.read_all()
        if data.startswith(MARK) or _stamp(data).format == FORMAT:
            if conversation := _conversation(data):
                yield conversation
            return
        stream = Utf8Stream(BytesIO(data))
    elif start != b"[":
        raise NotAnExport
    try:
        yield from foreign_conversations(stream, report)
    except ValueError:
        raise BadRequest(BROKEN) from None


def _conversation(data: bytes) -> ConversationFile | None:
    """Return the conversation; None for an exported file of another kind.

    Raise `BadRequest` if the file is not an export of this version, or is invalid.
    """
    stamp = _stamp(data)
    if stamp.format != FORMAT:
        raise BadRequest(BROKEN)
    if not isinstance(stamp.version, int):
        raise BadRequest(UNKNOWN)
    if stamp.version != VERSION:
        raise BadRequest(NEWER)
    if stamp.kind in NOT_TAKEN:
        return None
    if has_more_values(data, settings.MAX_CONVERSATION_MESSAGES * VALUES_PER_MESSAGE):
        raise BadRequest(TOO_LARGE)
    try:
        conversation = json_text.decode(data, ConversationFile)
    except msgspec.ValidationError as error:
        problem = str(error).replace("`", "")
        words = _("This file can't be imported: {problem}. Nothing was imported.")
        raise BadRequest(words.format(problem=problem)) from None
    except UNREADABLE:
        raise BadRequest(BROKEN) from None
    require_tree(conversation)
    return conversation


def _stamp(data: bytes) -> Stamp:
    """Return what identifies the file, which is empty if it isn't JSON."""
    try:
        return json_text.decode(data, Stamp)
    except UNREADABLE:
        return Stamp()
