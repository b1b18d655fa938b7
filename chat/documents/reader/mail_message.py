"""Read a reply that arrived by email: who sent it to which address, and what they wrote.

An email is as hostile as any file, so it is read in a sandbox like them (`__main__.py`). The first
line on standard input says what to look for, as JSON; the email follows.
"""

import re
import sys
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses
from typing import cast

import msgspec
from msgspec import Struct

from chat.documents.reader import office, plain_text, sandbox
from chat.documents.reader.mail_text import reply_in

#: Mails of people have a few parts in each other, and short headers.
MAX_BOUNDARIES = 30
MAX_SEPARATORS = 2_000
MAX_HEAD_BYTES = 256 * 1024
MAX_HEADER_CHARS = 4_000
#: Of each name that may occur several times.
MAX_HEADERS = 20
MAX_ID_CHARS = 500
#: Of a text with the original, so many times as many characters are read as a reply may have.
CHARACTERS_READ = 4
RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To")
BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "List-Id", "List-Unsubscribe")
AUTOMATIC_SENDERS = frozenset({"mailer-daemon", "postmaster"})
#: Smaller pictures within a text are ornaments. Screenshots are larger.
ORNAMENT_BYTES = 10_000
#: Python's codecs for names of hosts. A long text takes them its length squared.
NOT_OF_TEXTS = frozenset({"idna", "punycode"})
_HEAD_END = re.compile(rb"\n\r?\n")
#: One with a token, in its three parts.
_REPLY_ADDRESS = re.compile(r"([a-z0-9._-]{1,64})\+([a-z2-7]{20,60})@([a-z0-9.-]{1,255})")


class _ShortHeaders(Compat32):
    """Cut headers before anything looks at them: parsing parameters takes their length squared."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER_CHARS]


class MailQuery(Struct):
    """The site's reply address in its two parts, addresses that the original names, and limits."""

    local: str
    domain: str
    own: list[str]
    most_characters: int
    most_files: int = 0
    most_file_bytes: int = 0


class MailFile(Struct):
    """An attached file. Nothing in its name or content was checked."""

    name: str
    content: bytes


class MailReply(Struct, omit_defaults=True):
    """What an email says. `tokens` are those of the reply addresses that it was sent to.

    `left_out` is how many files are attached besides `files`. `automatic` says why it is no
    person's answer, `problem` why it can't be read.
    """

    id: str = ""
    senders: list[str] = []
    tokens: list[str] = []
    text: str = ""
    is_cut: bool = False
    files: list[MailFile] = []
    left_out: int = 0
    automatic: str = ""
    problem: str = ""


def read(content: bytes, query: MailQuery) -> MailReply:
    """Read an email."""
    if _is_too_complex(content):
        return MailReply(problem="too_complex")
    mail: Message = message_from_bytes(content, policy=_ShortHeaders())
    reply = MailReply(
        id=" ".join(_header(mail, "Message-ID").split())[:MAX_ID_CHARS],
        senders=[address for _name, address in getaddresses(_headers(mail, "From")) if address],
        tokens=_tokens(mail, query),
        automatic=_why_automatic(mail),
    )
    if reply.automatic or not reply.tokens:
        return reply  # nobody will read it
    text, attached = _parts_of(mail, query)
    reply.files, reply.left_out = _files_in(attached, query)
    longest = CHARACTERS_READ * query.most_characters
    written = reply_in(text[:longest], query.own)
    reply.text, reply.is_cut = (
        written[: query.most_characters],
        len(written) > query.most_characters,
    )
    return reply


def _is_too_complex(content: bytes) -> bool:
    """Return whether it has so many parts, or such a head, that reading it would take long."""
    if len(content) > MAX_HEAD_BYTES and not _HEAD_END.search(content, 0, MAX_HEAD_BYTES):
        return True
    lowered = content.lower()
    is_deep = lowered.count(b"boundary") > MAX_BOUNDARIES
    return is_deep or lowered.count(b"\n--") > MAX_SEPARATORS


def _headers(mail: Message, name: str) -> list[str]:
    return [str(each)[:MAX_HEADER_CHARS] for each in mail.get_all(name, [])[:MAX_HEADERS]]


def _header(mail: Message, name: str) -> str:
    return next(iter(_headers(mail, name)), "")


def _tokens(mail: Message, query: MailQuery) -> list[str]:
    ours = (query.local, query.domain)
    found: dict[str, None] = {}
    for name in RECIPIENTS:
        for value in _headers(mail, name):
            for local, token, domain in _REPLY_ADDRESS.findall(value.lower()):
                if (local, domain) == ours:
                    found[token] = None
    return list(found)[:MAX_HEADERS]


def _why_automatic(mail: Message) -> str:
    """Return which header says that a program sent it (RFC 3834); empty if none does."""
    submitted = _header(mail, "Auto-Submitted").partition(";")[0].strip().lower()
    if submitted not in {"", "no"}:
        return "Auto-Submitted"
    if _header(mail, "Precedence").strip().lower() in BULK:
        return "Precedence"
    if found := next((name for name in AUTOMATIC_HEADERS if name in mail), ""):
        return found
    if _header(mail, "Return-Path").replace(" ", "") == "<>":
        return "Return-Path"
    if mail.get_content_type() == "multipart/report":
        return "Content-Type"
    names = (
        address.partition("@")[0].lower() for _n, address in getaddresses(_headers(mail, "From"))
    )
    return "From" if any(name in AUTOMATIC_SENDERS for name in names) else ""


def _parts_of(mail: Message, query: MailQuery) -> tuple[str, list[Message]]:
    """Return the text, from HTML if there is no other, and the parts that are attached files."""
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
        return text, attached
    page = "\n".join(pages).encode("utf-8", "replace")
    return office.text_of(page, "html", CHARACTERS_READ * query.most_characters).text, attached


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
    try:
        return content.decode("utf-8" if charset in NOT_OF_TEXTS else charset)
    except (LookupError, ValueError):
        return plain_text.decoded(content) or content.decode("latin-1")


def main() -> None:
    """Answer standard input: `python -m chat.documents.reader.mail_message`."""
    query = msgspec.json.decode(sys.stdin.buffer.readline(), type=MailQuery)
    content = sys.stdin.buffer.read()
    if b"text/html" in content.lower():
        office.load()
    sandbox.enter()
    try:
        reply = read(content, query)
    except Exception:  # whatever a hostile email breaks in the parser
        reply = MailReply(problem="damaged")
    sys.stdout.buffer.write(msgspec.json.encode(reply))


if __name__ == "__main__":
    main()
