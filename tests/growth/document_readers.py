"""What reads files, web pages and emails of strangers, by module."""

from collections.abc import Callable
from contextlib import suppress

from chat.documents.reader import (
    anchors,
    mail_head,
    mail_message,
    mail_text,
    open_elements,
    word_entities,
)


def _mail_read(mail: str) -> None:
    with suppress(RecursionError):  # in the program that reads emails, it is one that can't be read
        mail_message.read(mail.encode(errors="replace"), MAIL_QUERY)


def _head_read(head: str) -> None:
    with suppress(RecursionError):
        mail_head.read(head.encode(errors="replace"), MAIL_ADDRESS)


MAIL_TO = f"reply+{'a' * 45}@in.example.org"
MAIL_ADDRESS = mail_head.ReplyAddress("reply", "in.example.org")
MAIL_QUERY = mail_message.MailQuery(["@in.example.org"], 10**9)

READERS: dict[str, list[Callable[[str], object]]] = {
    "chat.documents.reader.anchors": [
        anchors.without,
        anchors.anchor_in,
        lambda text: anchors.placed(text, [text[:100]]),
        lambda text: anchors.placed("# \ue0000\ue001" + text, [text[:100]]),
    ],
    "chat.documents.reader.open_elements": [open_elements.has_too_many],
    "chat.documents.reader.word_entities": [lambda t: word_entities.without_references(t.encode())],
    "chat.documents.reader.mail_head": [
        lambda text: mail_head.head_of(text.encode(errors="replace")),
        lambda text: _head_read(f"To: {text}\n\nx"),
        lambda text: _head_read(f"To: {MAIL_TO}\nFrom: {text}\n\nx"),
    ],
    "chat.documents.reader.mail_message": [
        lambda text: _mail_read(f"To: {MAIL_TO}\nContent-Type: {text[:200]}\n\nx"),
        lambda text: _mail_read(f"To: {MAIL_TO}\n\n{text}"),
        lambda text: _mail_read(
            f"To: {MAIL_TO}\nContent-Type: text/plain; charset=punycode-\n\na-{text}"
        ),
        lambda text: _mail_read(
            f"To: {MAIL_TO}\nContent-Type: multipart/mixed; boundary=b\n\n{text}"
        ),
    ],
    "chat.documents.reader.mail_text": [
        mail_text.reply_in,
        lambda text: mail_text.reply_in(f"On 2026 {text}:\n> x"),
        lambda text: mail_text.reply_in(f"x\n\n{text}\n> x", ["@in.example.org"]),
        lambda text: mail_text.reply_in(f"From: {text}\nSent: {text}\nTo: {text}", ["@a"]),
    ],
}
