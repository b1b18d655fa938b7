"""Store files that are attached to visitors' replies by email, like those from the widget."""

from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.attached_files import file_block, image_line
from chat.conversations.images import store
from chat.conversations.images.errors import NotAnImage
from chat.database import threads
from chat.documents.reader.mail_message import MailFile, MailReply
from chat.documents.reading import PERCENT_OF_MESSAGE, VISITOR_FILE_CHARS, read_for_message
from chat.errors import ChatError
from chat.inbox.models import VisitorEmail
from chat.lib.text import one_line

#: Of an email.
MAX_FILES = 10
#: After this, the rest is left out: a provider whose request takes longer posts the email again.
MAX_SECONDS = 15.0


class FileLimit(Protocol):
    """How many files a visitor may send."""

    def left(self, principal: Principal) -> int:
        """Return how many more the visitor may send now."""

    def count(self, principal: Principal, files: int) -> None:
        """Count files that the visitor has sent."""


@dataclass(slots=True)
class StoredFiles:
    """The parts of a message for its files, how many were read, and how many are left out."""

    parts: list[str] = field(default_factory=list)
    read: int = 0
    images: int = 0
    left_out: int = 0


async def stored(
    reply: MailReply, email: VisitorEmail, principal: Principal, most: int
) -> StoredFiles:
    """Store the first `most` files of a reply, if the website takes files.

    Raise a `ChatError` only if the email can be taken later.
    """
    files = StoredFiles()
    if not email.conversation.owner.visitor.site.accepts_files:
        files.left_out = len(reply.files)
        return files
    room = settings.MAX_MESSAGE_CHARS * PERCENT_OF_MESSAGE // 100 - len(reply.text)
    give_up_at = monotonic() + MAX_SECONDS
    for each in reply.files:
        part = ""
        if files.read < most and monotonic() < give_up_at:
            files.read += 1
            part = await _part_of(each, principal, min(VISITOR_FILE_CHARS, room), files)
        if part:
            files.parts.append(part)
            room -= len(part)
        else:
            files.left_out += 1
    return files


async def _part_of(file: MailFile, principal: Principal, room: int, files: StoredFiles) -> str:
    """Store a file; return its part of the message, empty if that isn't possible."""
    name = one_line(file.name)
    try:
        return await _image(file.content, name, principal, files)
    except NotAnImage:
        return await _document(file.content, name, principal, room)


async def _image(content: bytes, name: str, principal: Principal, files: StoredFiles) -> str:
    try:
        store.checked(content)
        if files.images >= settings.MAX_MESSAGE_IMAGES:
            return ""
        image = await threads.writer.run(store.store, principal.user_id, content, principal.site)
    except NotAnImage:
        raise
    except ChatError as error:
        return _left_out(error)
    files.images += 1
    return image_line(name, image.digest)


async def _document(content: bytes, name: str, principal: Principal, room: int) -> str:
    if room <= 0:
        return ""
    try:
        text = await read_for_message(content, name, f"site:{principal.site}", room)
    except ChatError as error:
        return _left_out(error)
    original = ""
    if settings.KEEP_QUESTION_FILES:
        original = await threads.writer.run(
            store.store_file_if_room, principal.user_id, content, principal.site
        )
    return file_block(name, text.text, original)


def _left_out(error: ChatError) -> str:
    """Return no part of a message, unless the email can be taken later."""
    if error.retryable:
        raise error
    return ""
