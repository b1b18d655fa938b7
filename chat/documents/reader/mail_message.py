"""Read a reply that arrived by email: what its sender wrote, and the files.

Only an email whose headers name a valid address and sender is read (mail_head.py). It is as hostile
as any file, so it is read in a sandbox like them (`__main__.py`). The first line on standard input
says what to look for, as JSON; the email follows.
"""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from typing import cast

from msgspec import Struct

from chat.documents.reader import office, plain_text, sandbox
from chat.documents.reader.mail_head import ShortHeaders
from chat.documents.reader.mail_text import reply_in

#: Mails of people have a few parts in each other.
MAX_BOUNDARIES = 30
MAX_SEPARATORS = 2_000
#: Of a text with the original, so many times as many characters are read as a reply may have.
CHARACTERS_READ = 4
#: Of an HTML text, where the original follows the reply: markup in markup takes long to read.
MAX_HTML_CHARS = 256 * 1024
#: Smaller pictures within a text are ornaments. Screenshots are larger.
ORNAMENT_BYTES = 10_000


class MailQuery(Struct):
    """Addresses of ours that the original names, and limits."""

    own: list[str]
    most_characters: int
    most_files: int = 0
    most_file_bytes: int = 0


class MailFile(Struct):
    """An attached file. Nothing in its name or content was checked."""

    name: str
    content: bytes


class MailReply(Struct, omit_defaults=True):
    """What an email says. `left_out` is how many files are attached besides `files`.

    `problem` says why it can't be read.
    """

    text: str = ""
    is_cut: bool = False
    files: list[MailFile] = []
    left_out: int = 0
    problem: str = ""


def read(content: bytes, query: MailQuery) -> MailReply:
    """Read an email."""
    if _is_too_complex(content):
        return MailReply(problem="too_complex")
    mail: Message = message_from_bytes(content, policy=ShortHeaders())
    text, is_cut, attached = _parts_of(mail, query)
    files, left_out = _files_in(attached, query)
    longest = CHARACTERS_READ * query.most_characters
    written = reply_in(text[:longest], query.own)
    # What was left out of the end is of the original, if that was found.
    is_cut = is_cut and text.rstrip().endswith(written.rpartition("\n")[2])
    return MailReply(
        written[: query.most_characters],
        is_cut or len(written) > query.most_characters,
        files,
        left_out,
    )


def _is_too_complex(content: bytes) -> bool:
    """Return whether it has so many parts that reading it would take long."""
    lowered = content.lower()
    is_deep = lowered.count(b"boundary") > MAX_BOUNDARIES
    return is_deep or lowered.count(b"\n--") > MAX_SEPARATORS


def _parts_of(mail: Message, query: MailQuery) -> tuple[str, bool, list[Message]]:
    """Return the text, whether its end is missing, and the parts that are attached files.

    It is from HTML if there is no other.
    """
    plain: list[str] = []
    pages: list[str] = []
    attached: list[Message] = []
    for part in _leaves(mail):
        kind = part.get_content_type()
        is_file = part.get_content_disposition() == "attachment" or part.get_filename()
        if is_file or kind not in {"text/plain", "text/html"}:
            attached.append(part)
        else:
            (plain if kind == "text/plain" else pages).append(_decoded(part))
    text = "\n".join(plain)
    if text.strip() or not pages:
        return text, False, attached
    page = "\n".join(pages)
    most = CHARACTERS_READ * query.most_characters
    is_cut = len(page) > MAX_HTML_CHARS
    if is_cut:
        page = page[:MAX_HTML_CHARS].rpartition("<")[0]  # not within a tag
    return office.text_of(page.encode(), "html", most).text, is_cut, attached


def _files_in(attached: list[Message], query: MailQuery) -> tuple[list[MailFile], int]:
    """Return the first files that aren't too large, and how many there are besides."""
    files: list[MailFile] = []
    left_out = 0
    for part in attached:
        content = cast(bytes | None, part.get_payload(decode=True))  # None of an email
        if content is None or not _may_be_taken(content, files, query):
            left_out += 1
        elif not _is_ornament(part, content):
            files.append(MailFile(_file_name(part), content))
    return files, left_out


def _may_be_taken(content: bytes, files: list[MailFile], query: MailQuery) -> bool:
    return len(content) <= query.most_file_bytes and len(files) < query.most_files


def _is_ornament(part: Message, content: bytes) -> bool:
    """Return whether it is a small picture within the text, like the logo of a signature."""
    is_within = "Content-ID" in part and part.get_content_disposition() != "attachment"
    return is_within and part.get_content_maintype() == "image" and len(content) < ORNAMENT_BYTES


def _file_name(part: Message) -> str:
    name = part.get_filename()
    subtype = part.get_content_subtype()
    return name if name and name.strip() else f"file.{subtype if subtype.isalnum() else 'bin'}"


def _leaves(mail: Message) -> Iterator[Message]:
    """Go through the parts in their order; an email that is attached is a single one."""
    waiting: list[Message] = [mail]
    while waiting:
        part = waiting.pop()
        # The payload of anything else would be decoded here already, by whatever codec it names.
        has_parts = part.get_content_maintype() == "multipart" and part.is_multipart()
        children = part.get_payload() if has_parts else None
        if isinstance(children, list):
            waiting.extend(each for each in reversed(children) if isinstance(each, Message))
        else:
            yield part


def _decoded(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    charset = part.get_content_charset() or "utf-8"
    text = plain_text.decoded_as(content, charset)
    return text or plain_text.decoded(content) or content.decode("latin-1")


def load_for(content: bytes) -> None:
    """Load what reads an email's HTML, if it has any."""
    if b"text/html" in content.lower():
        office.load()


def main() -> None:
    """Answer standard input: `python -m chat.documents.reader.mail_message`."""
    sandbox.answer(MailQuery, read, MailReply(problem="damaged"), load_for)


if __name__ == "__main__":
    main()
