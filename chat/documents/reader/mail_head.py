"""Read the headers of an email: who sent it to which address, and whether a person did.

They are read first, by themselves: only of an email that has a valid address and sender is the rest
read, which takes longer (mail_message.py). It is as hostile as any file, so it is read in a sandbox
like them (`__main__.py`). The first line on standard input says what to look for, as JSON; the
headers follow.
"""

import re
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32
from email.utils import getaddresses

from msgspec import Struct

from chat.documents.reader import sandbox

#: Mails of people have short headers.
MAX_HEAD_BYTES = 256 * 1024
MAX_HEADER_CHARS = 4_000
#: Of each name that may occur several times.
MAX_HEADERS = 20
#: An email has one `From`. Parsing it takes its length squared.
MAX_FROM_HEADERS = 2
MAX_ID_CHARS = 500
RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To")
BULK = frozenset({"bulk", "junk", "list", "auto_reply"})
AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply", "List-Id", "List-Unsubscribe")
AUTOMATIC_SENDERS = frozenset({"mailer-daemon", "postmaster"})
_HEAD_END = re.compile(rb"\n\r?\n")
#: One with a token, in its three parts.
_REPLY_ADDRESS = re.compile(r"([a-z0-9._-]{1,64})\+([a-z2-7]{20,60})@([a-z0-9.-]{1,255})")


class ShortHeaders(Compat32):
    """Cut headers before anything looks at them: parsing parameters takes their length squared."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER_CHARS]


class ReplyAddress(Struct):
    """The site's reply address in its two parts."""

    local: str
    domain: str


class MailHead(Struct, omit_defaults=True):
    """What the headers of an email say. `tokens` are those of the reply addresses it was sent to.

    `automatic` says why it is no person's answer, `problem` why it can't be read.
    """

    id: str = ""
    senders: list[str] = []
    tokens: list[str] = []
    automatic: str = ""
    problem: str = ""


def head_of(content: bytes) -> bytes | None:
    """Return the headers of an email as they are; None if they are too long."""
    end = _HEAD_END.search(content, 0, MAX_HEAD_BYTES)
    if end:
        return content[: end.end()]
    return content if len(content) <= MAX_HEAD_BYTES else None


def read(head: bytes, address: ReplyAddress) -> MailHead:
    mail: Message = BytesHeaderParser(policy=ShortHeaders()).parsebytes(head)
    senders = [
        each for _name, each in getaddresses(_headers(mail, "From")[:MAX_FROM_HEADERS]) if each
    ]
    return MailHead(
        id=" ".join(_header(mail, "Message-ID").split())[:MAX_ID_CHARS],
        senders=senders,
        tokens=_tokens(mail, address),
        automatic=_why_automatic(mail, senders),
    )


def _headers(mail: Message, name: str) -> list[str]:
    return [str(each)[:MAX_HEADER_CHARS] for each in mail.get_all(name, [])[:MAX_HEADERS]]


def _header(mail: Message, name: str) -> str:
    return next(iter(_headers(mail, name)), "")


def _tokens(mail: Message, address: ReplyAddress) -> list[str]:
    found: dict[str, None] = {}
    for name in RECIPIENTS:
        for value in _headers(mail, name):
            for local, token, domain in _REPLY_ADDRESS.findall(value.lower()):
                if (local, domain) == (address.local, address.domain):
                    found[token] = None
    return list(found)[:MAX_HEADERS]


def _why_automatic(mail: Message, senders: list[str]) -> str:
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
    names = (address.partition("@")[0].lower() for address in senders)
    return "From" if any(name in AUTOMATIC_SENDERS for name in names) else ""


def main() -> None:
    """Answer standard input: `python -m chat.documents.reader.mail_head`."""
    sandbox.answer(ReplyAddress, read, MailHead(problem="damaged"))


if __name__ == "__main__":
    main()
