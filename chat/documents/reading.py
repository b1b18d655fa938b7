"""Read and draw files, one at a time, each in a process of its own: see `chat/documents/reader`."""

import asyncio
import logging
import re
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

import msgspec
from django.conf import settings

from chat.documents.errors import unreadable
from chat.documents.reader import files, mail_head
from chat.documents.reader.document_text import DocumentText, within
from chat.documents.reader.mail_head import MailHead, ReplyAddress
from chat.documents.reader.mail_message import MailQuery, MailReply
from chat.documents.reader.page_picture import PNG_START, PagePassage
from chat.documents.reader.web_page import WebPage
from chat.errors import ShuttingDown
from chat.lib.limits import FairQueues
from chat.lib.worker_thread import off_loop

#: Waiting files of each member, including the one that is read. A page sends one after the other.
#: They take of the memory for all bodies, so more would let one member use it up.
MAX_WAITING = 5
#: Emails that arrive; their sender is told to come back.
MAX_WAITING_MAILS = 10
READING_SECONDS = 50.0
ENDING_SECONDS = 5.0
RETRY_SECONDS = 5.0
#: Of a message, so much may be a file: something is written beside it, too.
PERCENT_OF_MESSAGE = 90
#: Of a visitor's file: a question has to fit a visitor's body, in which each takes up to 6 bytes.
VISITOR_FILE_CHARS = 32_000
#: Of the longest text in JSON, where a character has up to 6 bytes.
JSON_BYTES = 6
READER = "chat.documents.reader"
DRAWER = "chat.documents.reader.page_picture"
WEB_READER = "chat.documents.reader.web_page"
MAIL_HEAD_READER = "chat.documents.reader.mail_head"
MAIL_READER = "chat.documents.reader.mail_message"
#: Few pages of websites need a second.
WEB_SECONDS = 15.0
MAIL_SECONDS = 15.0
MAIL_HEADERS_BYTES = 64 * 1024
CHARSET_CHARS = 40
LINKS_BYTES = 10 * 1024 * 1024
NOT_IN_CHARSETS = re.compile(r"[^a-zA-Z0-9_.:-]")
MAX_PICTURE_BYTES = 10 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
SUFFIX = re.compile(r"\.[a-z0-9]{1,12}$")

log = logging.getLogger(__name__)

_members = FairQueues("documents", MAX_WAITING)
_own_readers = FairQueues()  # of each reader: others wait for one of its files or pages only
_readers = FairQueues()  # a single one
_web_readers = FairQueues()  # pages of websites; members' files don't wait for them
_mail_head_readers = FairQueues("inbound_mails", MAX_WAITING_MAILS)
_mail_readers = FairQueues()  # of visitors' replies; what strangers send doesn't get there
_drawers = FairQueues()  # another one, as somebody looks at the page already


async def read_for_message(
    content: bytes, name: str, member: str, most_chars: int | None = None
) -> DocumentText:
    """Return as much of a file's text as fits into a message, with a note if some is left out.

    Raise `DocumentUnreadable`, or `RateLimitExceeded` if too many of the member's files wait. All
    visitors of a website count as one member.
    """
    most = settings.MAX_MESSAGE_CHARS * PERCENT_OF_MESSAGE // 100
    most = min(most, most if most_chars is None else most_chars)
    async with _members.turn(member):
        return _with_note(await read_document(content, name, most, f"message:{member}"))


def cut_for_message(text: str, most_chars: int) -> DocumentText:
    """Return as much of a text that was read elsewhere as fits, with a note if some is left out."""
    return _with_note(within(text, most_chars))


async def read_document(content: bytes, name: str, most: int, reader: str) -> DocumentText:
    """Return the first `most` characters of a file's text. Raise `DocumentUnreadable`.

    Text in UTF-8 is only decoded, so it needs no process of its own. Of the files of a `reader`,
    others wait for one, however many there are.
    """
    text = await off_loop(files.utf8_text_of, content, name, most)
    if text is None:
        async with _own_readers.turn(reader), _readers.turn(""):
            text = await _read(content, name, most)
    if text.problem:
        raise unreadable(text.problem)
    return text


async def draw_page(content: bytes, wanted: PagePassage, member: str) -> bytes:
    """Return a page of a PDF as a PNG, with a passage marked. Raise `DocumentUnreadable`."""
    async with _members.turn(member), _drawers.turn(""):
        header = msgspec.json.encode(wanted) + b"\n"
        picture = await _output_of((DRAWER,), header + content, MAX_PICTURE_BYTES, READING_SECONDS)
    if not picture.startswith(PNG_START) or len(picture) > MAX_PICTURE_BYTES:
        raise unreadable("too_complex")
    return picture


async def read_web_page(content: bytes, charset: str, most: int, reader: str) -> WebPage:
    """Return what a web page says. Its text has at most `most` characters.

    Of the pages of a `reader`, others wait for one, as in `read_document`.
    """
    arguments = WEB_READER, str(most), NOT_IN_CHARSETS.sub("", charset)[:CHARSET_CHARS]
    async with _own_readers.turn(reader), _web_readers.turn(""):
        output = await _output_of(arguments, content, most * JSON_BYTES + LINKS_BYTES, WEB_SECONDS)
    try:
        return msgspec.json.decode(output, type=WebPage)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return WebPage(is_readable=False)


async def read_mail_head(content: bytes, address: ReplyAddress) -> MailHead:
    """Return what the headers of an email say.

    Raise `RateLimitExceeded` if too many wait to be read.
    """
    head = mail_head.head_of(content)
    if head is None:
        return MailHead(problem="too_complex")
    asked = msgspec.json.encode(address) + b"\n" + head
    async with _mail_head_readers.turn(""):
        output = await _output_of((MAIL_HEAD_READER,), asked, MAIL_HEADERS_BYTES, MAIL_SECONDS)
    try:
        return msgspec.json.decode(output, type=MailHead)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return MailHead(problem="too_complex")


async def read_mail(content: bytes, query: MailQuery, member: str) -> MailReply:
    """Return what an email says, whose headers were read before.

    Raise `RateLimitExceeded` if too many of the member's files wait, of which it is one.
    """
    most_bytes = query.most_characters * JSON_BYTES + MAIL_HEADERS_BYTES
    if query.most_files:  # in base 64
        most_bytes += len(content) * 3 // 2
    header = msgspec.json.encode(query) + b"\n"
    async with _members.turn(member), _mail_readers.turn(""):
        output = await _output_of((MAIL_READER,), header + content, most_bytes, MAIL_SECONDS)
    try:
        return msgspec.json.decode(output, type=MailReply)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return MailReply(problem="too_complex")


async def _read(content: bytes, name: str, most: int) -> DocumentText:
    """Raise `ShuttingDown` if the program has gone: the site is being upgraded."""
    suffix = SUFFIX.search(name.lower())  # other people of the machine see it
    arguments = (READER, str(most), suffix[0] if suffix else "")
    output = await _output_of(arguments, content, most * JSON_BYTES, READING_SECONDS)
    try:
        return msgspec.json.decode(output, type=DocumentText)
    except (msgspec.DecodeError, msgspec.ValidationError):
        log.warning("a file of %d bytes could not be read", len(content))
        return DocumentText(problem="too_complex")


async def _output_of(
    arguments: Sequence[str], content: bytes, most_bytes: int, seconds: float
) -> bytes:
    """Return what a program of ours answers to a file; nothing if it takes too long."""
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", *arguments),
            cwd=settings.BASE_DIR,
            env={},
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
        )
    except OSError as error:
        raise ShuttingDown(detail=str(error), retry_after_seconds=RETRY_SECONDS) from None
    try:
        async with asyncio.timeout(seconds):
            return await _exchange(process, content, most_bytes)
    except TimeoutError:
        return b""
    finally:
        await _end(process)


async def _end(process: Process) -> None:
    """End a process, if it has not ended, and read the rest of what it has written."""
    with suppress(ProcessLookupError):
        process.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(ENDING_SECONDS):
            while await cast(StreamReader, process.stdout).read(CHUNK_BYTES):
                pass
            await process.wait()


async def _exchange(process: Process, content: bytes, most_bytes: int) -> bytes:
    """Return what the process answers; not more than `most_bytes`, whatever it does."""
    stdin, stdout = cast(StreamWriter, process.stdin), cast(StreamReader, process.stdout)
    sending = asyncio.create_task(_send(stdin, content))
    output = bytearray()
    try:
        while len(output) <= most_bytes and (part := await stdout.read(CHUNK_BYTES)):
            output += part
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
    return bytes(output)


async def _send(pipe: StreamWriter, content: bytes) -> None:
    with suppress(ConnectionError):  # it ended, which its answer explains
        pipe.write(content)
        await pipe.drain()
        pipe.close()
        await pipe.wait_closed()


def _with_note(text: DocumentText) -> DocumentText:
    if not text.is_cut:
        return text
    note = "[The file goes on. The rest is left out here.]"
    if text.pages:
        note = f"[Pages {text.pages_read + 1} to {text.pages} are left out here.]"
    return msgspec.structs.replace(text, text=f"{text.text.rstrip()}\n\n{note}\n")
