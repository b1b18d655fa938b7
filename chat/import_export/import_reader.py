"""Read an uploaded export. Nothing in it is trusted, not even its sizes.

A file is read twice: first it is checked completely, then it is stored. Only one conversation is in
memory at a time. Errors are `BadRequest` with a message for the user.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.conversations.sizes.storage import CONVERSATION_BYTES, storage_full
from chat.conversations.sizes.triggers import MESSAGE_BYTES
from chat.errors import BadRequest
from chat.import_export.file_format import FORMAT, VERSION, ConversationFile, Stamp
from chat.import_export.foreign.json_elements import VALUES_PER_MESSAGE, has_more_values
from chat.import_export.foreign.recognition import foreign_conversations, is_foreign
from chat.import_export.import_report import ImportReport
from chat.import_export.import_storage import size_of
from chat.import_export.tree_validation import require_tree

#: A zip file may expand to at most this many times its size.
UNPACKED = 8
MAX_DIRECTORY_BYTES = 4 * 1024 * 1024  # of a zip file: about twenty thousand names
DIRECTORY_END = struct.Struct("<4sHHHHLLH")
LOCATOR_BYTES = 20
#: Exceptions that Python raises for invalid or damaged zip files.
DAMAGES = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error)
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
# Kinds of our files that are not imported.
NOT_TAKEN = {"account", "costs", "personas", "prompts", "projects", "tags", "links"}
MARK = b'{"format":"runnel"'  # the beginning of each of our files
UNKNOWN = gettext_lazy(
    "This file isn't an export from Runnel, ChatGPT, Claude, Open WebUI or LibreChat."
    " Nothing was imported."
)
BROKEN = gettext_lazy("This file is damaged or incomplete. Nothing was imported.")
NEWER = gettext_lazy("This file comes from a newer version of Runnel. Nothing was imported.")
TOO_LARGE = gettext_lazy("This file is too large to import at once. Nothing was imported.")


def check(file: IO[bytes], room_bytes: int | None = None) -> ImportReport:
    """Read the complete file; return what can be imported and what can't.

    Raise `BadRequest` if anything in our own format is invalid, or if nothing can be imported, and
    `StorageFull` if it exceeds `room_bytes`; None is no limit.
    """
    report = ImportReport()
    messages = size = 0
    for conversation in conversations_in(file, report):
        report.total += 1
        messages += len(conversation.messages)
        if messages > settings.MAX_IMPORT_MESSAGES:
            raise BadRequest(TOO_LARGE)
        size += CONVERSATION_BYTES
        size += sum(size_of(message) + MESSAGE_BYTES for message in conversation.messages)
        if room_bytes is not None and size > room_bytes:
            raise storage_full()
    if not report.total and report.reasons:
        words = _("No chat in this file can be imported. {problem} Nothing was imported.")
        raise BadRequest(words.format(problem=report.reasons[0][1]))
    if not report.total:
        raise BadRequest(_("This file contains no chats."))
    return report


def conversations_in(
    file: IO[bytes], report: ImportReport | None = None
) -> Iterator[ConversationFile]:
    """Yield the conversations of a JSON file, or of a zip file of these."""
    report = report or ImportReport()
    if file.seek(0, 2) > settings.MAX_IMPORT_BYTES:
        raise BadRequest(TOO_LARGE)
    file.seek(0)
    if file.read(2) == b"PK":
        yield from _in_zip(file, report)
        return
    file.seek(0)
    yield from _in_json(file.read(), report)


def _in_zip(file: IO[bytes], report: ImportReport) -> Iterator[ConversationFile]:
    """Yield the conversations in a zip file, which may have much else in it.

    Raise `BadRequest` if none of its JSON files is an export.
    """
    _require_small_directory(file)
    left = settings.MAX_IMPORT_BYTES * UNPACKED
    known = others = 0
    try:
        with ZipFile(file) as archive:
            for info in archive.infolist():
                if not info.filename.endswith(".json") or info.filename.startswith("__MACOSX/"):
                    continue
                data = _unpacked(archive, info, min(left, settings.MAX_IMPORT_BYTES))
                left -= len(data)
                if _is_ours(data) or is_foreign(data):
                    known += 1
                    yield from _in_json(data, report)
                else:
                    others += 1
    except DAMAGES:
        raise BadRequest(BROKEN) from None
    if others and not known:
        raise BadRequest(UNKNOWN)


def _in_json(data: bytes, report: ImportReport) -> Iterator[ConversationFile]:
    if not _is_ours(data) and is_foreign(data):
        try:
            yield from foreign_conversations(data, report)
        except ValueError:
            raise BadRequest(BROKEN) from None
    elif conversation := _conversation(data):
        yield conversation


def _is_ours(data: bytes) -> bool:
    try:
        return data.startswith(MARK) or msgspec.json.decode(data, type=Stamp).format == FORMAT
    except UNREADABLE:
        return False


def _require_small_directory(file: IO[bytes]) -> None:
    """Raise `BadRequest` for a zip file with too many names, which Python would all read at once.

    Their size is at the end of the file, unless it has a comment or exceeds the format's usual
    limits, neither of which exported files do.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - DIRECTORY_END.size - LOCATOR_BYTES))
    tail = file.read()
    if len(tail) < DIRECTORY_END.size:
        raise BadRequest(BROKEN)
    mark, *_others, directory_bytes, _offset, comment = DIRECTORY_END.unpack(
        tail[-DIRECTORY_END.size :]
    )
    if mark != b"PK\5\6" or comment:
        raise BadRequest(BROKEN)
    if tail.startswith(b"PK\6\7") or directory_bytes > MAX_DIRECTORY_BYTES:
        raise BadRequest(TOO_LARGE)
    file.seek(0)


def _unpacked(archive: ZipFile, info: ZipInfo, most_bytes: int) -> bytes:
    """Return the unpacked entry, at most `most_bytes`, whatever its header claims."""
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise BadRequest(BROKEN)
    with archive.open(info) as entry:
        data = entry.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise BadRequest(TOO_LARGE)
    return data


def _conversation(data: bytes) -> ConversationFile | None:
    """Return the conversation; None for an exported file of another kind.

    Raise `BadRequest` if the file is not an export of this version, or is invalid.
    """
    stamp = _stamp(data)
    if stamp.format != FORMAT or not isinstance(stamp.version, int):
        raise BadRequest(UNKNOWN)
    if stamp.version != VERSION:
        raise BadRequest(NEWER)
    if stamp.kind in NOT_TAKEN:
        return None
    if has_more_values(data, settings.MAX_CONVERSATION_MESSAGES * VALUES_PER_MESSAGE):
        raise BadRequest(TOO_LARGE)
    try:
        conversation = msgspec.json.decode(data, type=ConversationFile)
    except msgspec.ValidationError as error:
        problem = str(error).replace("`", "")
        words = _("This file can't be imported: {problem}. Nothing was imported.")
        raise BadRequest(words.format(problem=problem)) from None
    except UNREADABLE:
        raise BadRequest(BROKEN) from None
    require_tree(conversation)
    return conversation


def _stamp(data: bytes) -> Stamp:
    try:
        return msgspec.json.decode(data, type=Stamp)
    except msgspec.ValidationError:
        raise BadRequest(UNKNOWN) from None
    except UNREADABLE:
        raise BadRequest(BROKEN if data.startswith(MARK) else UNKNOWN) from None
