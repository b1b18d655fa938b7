"""Put the files of another program's chats into their questions, as if they were added here.

Documents are read in the process for documents, and images checked, like uploads. A file that is
over a limit, or that can't be read, is named in the question; it never costs the chat.
"""

import asyncio
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.functional import Promise

from chat.conversations.attached_files import file_block, image_line
from chat.conversations.images import store
from chat.conversations.images.errors import NotAnImage
from chat.conversations.images.message_images import MAX_FILES
from chat.conversations.images.models import FILE
from chat.conversations.images.relayed_images import content_of
from chat.conversations.sizes.storage import bytes_of
from chat.documents import reading
from chat.documents.errors import too_large
from chat.errors import BadRequest
from chat.import_export.file_format import ExportedMessage
from chat.import_export.foreign.files import ForeignFile, with_notes
from chat.import_export.foreign.message_tree import ForeignConversation
from chat.import_export.import_report import (
    DAMAGED_FILE,
    NO_STORAGE,
    NOT_IN_EXPORT,
    ONLY_TEXT,
    TOO_LONG,
    TOO_MANY,
    TOO_MANY_IN_MESSAGE,
    ImportReport,
)
from chat.lib import zip_files
from chat.lib.pictures.picture_format import picture_format
from chat.lib.pictures.picture_metadata import without_metadata
from chat.lib.text import clean, one_line

#: Of an import, for all of its files. Of those after that, only texts in the export are imported.
READING_SECONDS = 600.0
#: What a block has besides the file's text: its name, fences, and a note that some is left out.
BLOCK_CHARS = 500
#: A shorter beginning of a file says nothing.
MIN_CHARS = 200


class _LeftOut(Exception):
    """A file can't be imported."""

    def __init__(self, reason: Promise | str) -> None:
        super().__init__(reason)
        self.reason = str(reason)


@dataclass(slots=True)
class _Loaded:
    """A file of a ZIP file, which may be in several branches of a chat: an image or a text."""

    content: bytes = b""  # to store: the image, or the original
    kind: str = FILE
    text: str = ""
    digest: str = ""  # empty if the file itself needn't be stored
    reason: str = ""  # why it can't be imported


@dataclass(slots=True)
class _Question:
    """A question that gets its files: the parts of its text for them, and their number."""

    message: ExportedMessage
    blocks: list[str] = field(default_factory=list)
    images: int = 0
    room: int = 0  # characters that it may still have

    def add(self, block: str) -> None:
        if len(block) > self.room:
            raise _LeftOut(TOO_LONG)
        self.blocks.append(block)
        self.room -= len(block)


class ImportedFiles:
    """The files of an import, as far as there is room for them."""

    def __init__(
        self,
        user_id: int,
        room_bytes: int | None,
        report: ImportReport,
        on_read: Callable[[], None] = lambda: None,
    ) -> None:
        self._queue = f"import:{user_id}"  # of documents; a member has one import at a time
        self._room_bytes = room_bytes  # in the member's storage; None is no limit
        self._unpacked_bytes = settings.MAX_IMPORT_BYTES * zip_files.UNPACKED
        self._seconds = READING_SECONDS
        self._report, self._on_read = report, on_read
        self._chat_bytes = 0  # that may still be in memory for the current chat
        self._loaded: dict[str, _Loaded] = {}  # files of the current chat
        self._stored: set[str] = set()  # digests of those that an earlier message has

    async def add_to(self, chat: ForeignConversation) -> None:
        """Put the files into the chat, which is still in memory only."""
        self._chat_bytes = settings.MAX_IMPORT_BYTES
        self._loaded, self._stored = {}, set()
        for place, files in chat.attached.items():
            question = _Question(chat.messages[place])
            question.room = settings.MAX_MESSAGE_CHARS - len(question.message.text) - 1
            missing = []
            for each in files:
                try:
                    await self._add(question, each, chat)
                except _LeftOut as refusal:
                    missing.append(each)
                    self._report.leave_out(refusal.reason)
            _finish(question, missing)
            await asyncio.sleep(0)  # a chat may have a million files

    async def _add(self, question: _Question, file: ForeignFile, chat: ForeignConversation) -> None:
        if file.text is not None:
            return self._add_document(question, file.name, _Loaded(text=file.text))
        loaded = self._loaded.get(file.entry) or await self._load(file, chat)
        if file.entry:
            self._loaded[file.entry] = loaded
        if loaded.reason:
            raise _LeftOut(loaded.reason)
        if loaded.kind != FILE:
            return self._add_image(question, file.name, loaded)
        return self._add_document(question, file.name, loaded)

    async def _load(self, file: ForeignFile, chat: ForeignConversation) -> _Loaded:
        """Return a file's content, or why there is none."""
        if self._seconds <= 0 or self._unpacked_bytes <= 0 or self._chat_bytes <= 0:
            raise _LeftOut(TOO_MANY)
        began = time.monotonic()
        try:
            content = await asyncio.to_thread(self._content, file, chat)
            loaded = await asyncio.to_thread(_image, content, file)
            loaded = loaded or await self._document(content, file.name)
        except _LeftOut as refusal:
            loaded = _Loaded(reason=refusal.reason)
        except BadRequest as refusal:
            loaded = _Loaded(reason=refusal.public)
        self._chat_bytes -= len(loaded.content) + len(loaded.text)
        self._seconds -= time.monotonic() - began
        self._on_read()
        return loaded

    def _content(self, file: ForeignFile, chat: ForeignConversation) -> bytes:
        if file.url:
            return content_of(file.url)
        most = max(settings.MAX_DOCUMENT_BYTES, settings.MAX_IMAGE_BYTES)
        try:
            files = chat.exported_files
            content = files.read(file.entry, min(most, self._unpacked_bytes)) if files else None
        except zip_files.ZipTooLarge:
            raise too_large(most) if self._unpacked_bytes >= most else _LeftOut(TOO_MANY) from None
        except zip_files.DAMAGES:
            raise _LeftOut(DAMAGED_FILE) from None
        if content is None:
            raise _LeftOut(NOT_IN_EXPORT)
        self._unpacked_bytes -= len(content)
        return content

    async def _document(self, content: bytes, name: str) -> _Loaded:
        if len(content) > settings.MAX_DOCUMENT_BYTES:
            raise too_large()
        read = await reading.read_for_message(content, name, self._queue)
        loaded = _Loaded(text=read.text)
        is_whole = not read.is_cut and read.text.encode() == content
        if settings.KEEP_QUESTION_FILES and not is_whole:
            loaded.content, loaded.digest = content, store.digest_of(content, FILE)
        return loaded

    def _add_document(self, question: _Question, name: str, loaded: _Loaded) -> None:
        text, room = clean(loaded.text), question.room - BLOCK_CHARS
        if len(text) > room and room < MIN_CHARS:
            raise _LeftOut(TOO_LONG)
        if len(text) > room:
            text = reading.cut_for_message(text, room).text
        files = question.message.files
        digest = loaded.digest if len(files) < MAX_FILES else ""
        is_new = bool(digest) and digest not in self._stored
        block = file_block(_shown(name), text, digest)
        is_kept = is_new and self._has_room(bytes_of(block) + len(loaded.content))
        if is_new and not is_kept:  # its text is of use without it
            block = file_block(_shown(name), text)
        size = bytes_of(block)
        if size > self._chat_bytes:
            raise _LeftOut(TOO_MANY)
        if not self._has_room(size):
            raise _LeftOut(NO_STORAGE)
        question.add(block)
        self._chat_bytes -= size
        self._take(size)
        if is_kept:
            self._store(loaded, files)
        elif is_new:
            self._report.leave_out(ONLY_TEXT)

    def _add_image(self, question: _Question, name: str, loaded: _Loaded) -> None:
        if question.images >= settings.MAX_MESSAGE_IMAGES:
            raise _LeftOut(TOO_MANY_IN_MESSAGE)
        is_new = loaded.digest not in self._stored
        if is_new and not self._has_room(len(loaded.content)):
            raise _LeftOut(NO_STORAGE)
        question.add(image_line(_shown(name) or f"image.{loaded.kind}", loaded.digest))
        question.images += 1
        if is_new:
            self._store(loaded, question.message.images)

    def _store(self, loaded: _Loaded, contents: list[str]) -> None:
        """Let the message bring a file, as in our own format; later ones only name it."""
        contents.append(b64encode(loaded.content).decode())
        self._stored.add(loaded.digest)
        self._take(len(loaded.content))

    def _has_room(self, size_bytes: int) -> bool:
        return self._room_bytes is None or size_bytes <= self._room_bytes

    def _take(self, size_bytes: int) -> None:
        if self._room_bytes is not None:
            self._room_bytes -= size_bytes


def _image(content: bytes, file: ForeignFile) -> _Loaded | None:
    """Return an image as it is stored; None for another file. Raise what `checked` raises."""
    if picture_format(content) is None:
        if file.is_image:
            raise NotAnImage
        return None
    kind = store.checked(content).kind
    kept = without_metadata(content)
    return _Loaded(kept, kind, digest=store.digest_of(kept, kind))


def _finish(question: _Question, missing: list[ForeignFile]) -> None:
    """Write the question's text: what was asked, lines for missing files, and the files."""
    files = "".join(question.blocks)
    most = settings.MAX_MESSAGE_CHARS - len(files) - 1
    text = with_notes(question.message.text, missing, most)
    question.message.text = f"{text}\n{files}" if text and files else text + files


def _shown(name: str) -> str:
    """Return a file's name without folders, as browsers have it."""
    return one_line(name.replace("\\", "/").rpartition("/")[2])
