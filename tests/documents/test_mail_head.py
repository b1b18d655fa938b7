"""The headers of an email are read first, by themselves."""

import pytest

from chat.documents.reader import mail_head
from chat.documents.reader.mail_head import MailHead, ReplyAddress
from chat.documents.reading import read_mail_head

TOKEN = "a2" * 22 + "b"
ADDRESS = ReplyAddress("reply", "in.example.org")
HEAD = (
    f"From: Vera <vera@example.org>\nTo: Shop <reply+{TOKEN}@in.example.org>\n"
    "Message-ID: <1@example.org>\nMIME-Version: 1.0\n"
)


def read(mail: str) -> MailHead:
    return mail_head.read(mail.encode(), ADDRESS)


def test_headers_say_who_wrote_to_which_address() -> None:
    for text in (HEAD + "\nHello\n", (HEAD + "\nHello\n").replace("\n", "\r\n")):
        assert read(text) == MailHead("<1@example.org>", ["vera@example.org"], [TOKEN])
    assert read("From vera@example.org Sat Nov 28 17:44:00 2026\n" + HEAD + "\nHi").tokens


def test_only_the_headers_are_read() -> None:
    for end in ("\n", "\r\n"):
        head = HEAD.replace("\n", end).encode() + end.encode()
        assert mail_head.head_of(head + b"Hello\n\nVera") == head
    assert mail_head.head_of(HEAD.encode()) == HEAD.encode()
    assert mail_head.head_of(b"X-A: b\n" * 200_000) is None


async def test_what_breaks_the_parser_is_said_to_be_damaged() -> None:
    mail = HEAD.replace("Vera <", "(" * 3_000 + " <") + "\nHello"
    assert (await read_mail_head(mail.encode(), ADDRESS)).problem == "damaged"


def test_the_token_is_found_wherever_programs_put_the_recipient() -> None:
    address = f"reply+{TOKEN}@in.example.org"
    for head in (
        f"Cc: a@b.org, {address}\nTo: c@d.org",
        f"To: =?utf-8?q?Sh=C3=B6p?= <{address.upper()}>",
        f"To: a@b.org\nDelivered-To: {address}",
        f"To: a@b.org\nX-Original-To: {address}",
        f'To: "{address}" <{address}>',
    ):
        assert read(f"From: vera@example.org\n{head}\n\nHi").tokens == [TOKEN], head
    for wrong in (
        f"reply+{TOKEN}@in.example.org.evil.org",
        f"xreply+{TOKEN}@other.org",
        "reply@in.example.org",
    ):
        assert read(f"From: vera@example.org\nTo: {wrong}\n\nHi").tokens == [], wrong


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("Auto-Submitted: auto-replied", "Auto-Submitted"),
        ("Auto-Submitted: Auto-Generated; x=y", "Auto-Submitted"),
        ("Auto-Submitted: no", ""),
        ("Precedence: bulk", "Precedence"),
        ("Precedence: first-class", ""),
        ("X-Autoreply: yes", "X-Autoreply"),
        ("X-Autorespond: yes", "X-Autorespond"),
        ("List-Id: <a.example.org>", "List-Id"),
        ("Return-Path: < >", "Return-Path"),
        ("Return-Path: <vera@example.org>", ""),
        ("Content-Type: multipart/report; boundary=b", "Content-Type"),
    ],
)
def test_what_programs_send_is_told_by_its_headers(header: str, why: str) -> None:
    found = read(f"{HEAD}{header}\n\nHello")
    assert found.automatic == why


def test_several_senders_are_all_named() -> None:
    assert read("From: a@b.org, c@d.org\nFrom: e@f.org\n\nx").senders == [
        "a@b.org",
        "c@d.org",
        "e@f.org",
    ]


def test_a_subject_adds_no_header() -> None:
    mail = (
        HEAD
        + "Subject: Hello\r\n Bcc: a@b.org\nSubject: =?utf-8?q?x=0D=0AAuto-Submitted:_yes?=\n\nHi"
    )
    found = read(mail)
    assert found.automatic == ""
