"""Emails are read whoever has written them, and hostile ones harm nobody else."""

import time
from email.message import EmailMessage

import pytest

from chat.documents.reader import mail_message
from chat.documents.reader.mail_head import ReplyAddress
from chat.documents.reader.mail_message import MailQuery, MailReply
from chat.documents.reading import read_mail, read_mail_head

TOKEN = "a2" * 22 + "b"
ADDRESS = ReplyAddress("reply", "in.example.org")
QUERY = MailQuery(["noreply@example.org"], 10_000)
HEAD = (
    f"From: Vera <vera@example.org>\nTo: Shop <reply+{TOKEN}@in.example.org>\n"
    "Message-ID: <1@example.org>\nMIME-Version: 1.0\n"
)


def read(mail: str | bytes | EmailMessage) -> MailReply:
    if isinstance(mail, EmailMessage):
        return mail_message.read(mail.as_bytes(), QUERY)
    return mail_message.read(mail if isinstance(mail, bytes) else mail.encode(), QUERY)


def test_a_plain_email_is_read() -> None:
    for text in (HEAD + "\nHello\n", (HEAD + "\nHello\n").replace("\n", "\r\n")):
        found = read(text)
        assert found == MailReply("Hello")
    assert read("From vera@example.org Sat Nov 28 17:44:00 2026\n" + HEAD + "\nHi").text == "Hi"


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/plain; charset=iso-8859-1", b"Gr\xfc\xdfe", "Grüße"),
        ("text/plain; charset=windows-1251", "Привет".encode("cp1251"), "Привет"),
        ("text/plain; charset=no-such-charset", "Grüße".encode(), "Grüße"),
        ("text/plain; charset=PunyCode", b"a-b", "a-b"),  # for host names
        ("text/plain; charset=punycode-", b"a-b", "a-b"),
        ("text/plain; charset=unicode_escape", b"A\\ud800", "A?"),  # half a character
        ("text/plain; charset=ascii", "Grüße".encode(), "Grüße"),
        ("text/plain", "日本語".encode(), "日本語"),
        ("no type at all", b"Hello", "Hello"),
    ],
)
def test_texts_in_any_encoding_are_read(content_type: str, body: bytes, text: str) -> None:
    assert read(f"{HEAD}Content-Type: {content_type}\n\n".encode() + body).text == text


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("base64", "SGVsbG8="),
        ("quoted-printable", "H=65llo"),
        ("BASE64", "SGVs\nbG8"),
        ("8bit", "Hello"),
    ],
)
def test_encoded_texts_are_read(encoding: str, body: str) -> None:
    assert read(f"{HEAD}Content-Transfer-Encoding: {encoding}\n\n{body}").text == "Hello"


def mail_with(text: str, page: str = "") -> EmailMessage:
    mail = EmailMessage()
    for line in HEAD.strip().split("\n")[:3]:
        name, _colon, value = line.partition(": ")
        mail[name] = value
    mail.set_content(text)
    if page:
        mail.add_alternative(page, subtype="html")
    return mail


def test_the_plain_text_comes_before_html_and_files_are_counted() -> None:
    mail = mail_with("Plain", "<p>Page</p>")
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="a.pdf")
    mail.add_attachment("A log", filename="log.txt")
    mail.add_attachment(mail_with("Of another mail"))
    found = read(mail)
    assert (found.text, found.left_out) == ("Plain", 3)


async def test_an_email_that_is_only_html_becomes_text() -> None:
    page = (
        "<p>Yes, <b>please</b>.</p><div>On Sat, Nov 28, 2026 at 5:44 PM Shop "
        "&lt;noreply@example.org&gt; wrote:</div><blockquote>It is 20 dollars.</blockquote>"
    )
    content = f"{HEAD}Content-Type: text/html\n\n{page}".encode()
    assert (await read_mail(content, QUERY, "site:a")).text == "Yes, **please**."


def test_a_long_text_is_cut() -> None:
    found = read(HEAD + "\n" + "words " * 5_000)
    assert (len(found.text), found.is_cut) == (10_000, True)


def test_long_html_is_cut_and_says_so_unless_that_was_of_the_original() -> None:
    long = "<p>" + "words <b></b>" * 30_000 + "</p>"
    found = read(f"{HEAD}Content-Type: text/html\n\n<p>Yes.</p>{long}")
    assert (found.text[:4], found.is_cut) == ("Yes.", True)
    empty = "<p>Yes.</p>" + "<i></i>" * 100_000 + "<p>No.</p>"
    found = read(f"{HEAD}Content-Type: text/html\n\n{empty}")
    assert (found.text, found.is_cut) == ("Yes.", True)
    wrote = "<p>On Sat, Nov 28, 2026 at 5:44 PM Shop &lt;a@b.org&gt; wrote:</p>"
    original = f"<p>Yes.</p>{wrote}<blockquote>It is 20.{'<i></i>' * 100_000}</blockquote>"
    found = read(f"{HEAD}Content-Type: text/html\n\n{original}")
    assert (found.text, found.is_cut) == ("Yes.", False)


def nested(depth: int) -> bytes:
    parts = [
        f'Content-Type: multipart/mixed; boundary="b{each}"\n\n--b{each}\n' for each in range(depth)
    ]
    return (HEAD + "".join(parts) + "Content-Type: text/plain\n\nDeep").encode()


HOSTILE = {
    "nested": nested(5_000),
    "nested twenty deep": nested(20),
    "headers": (HEAD + "X-A: b\n" * 10_000 + "\nHello").encode(),
    "many headers of a name": (HEAD + "To: a@b.org\nCc: <((((\n" * 9_000 + "\nHello").encode(),
    "no body": (HEAD + "X-A: b\n" * 200_000).encode(),
    "long header": (HEAD + "Subject: " + "=?utf-8?q?a?= " * 100_000 + "\n\nHello").encode(),
    "comments": (HEAD.replace("Vera <", "(" * 3_000 + " <") + "\nHello").encode(),
    "quotes": (HEAD.replace("Vera <", '"' + "\\" * 3_000 + '" <') + "\nHello").encode(),
    "base64": (HEAD + "Content-Transfer-Encoding: base64\n\n" + "QUFB" * 1_000_000).encode(),
    "bad base64": (HEAD + "Content-Transfer-Encoding: base64\n\n" + "A=\n" * 300_000).encode(),
    "quoted-printable": (
        HEAD + "Content-Transfer-Encoding: quoted-printable\n\n" + "=\n" * 500_000
    ).encode(),
    "parts": (
        HEAD + "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 500_000
    ).encode(),
    "charset": (HEAD + "Content-Type: text/plain; charset=" + "a" * 100_000 + "\n\nHello").encode(),
    "parameters": (
        HEAD + "Content-Type: text/plain; " + "a*0*=b; " * 30_000 + "\n\nHello"
    ).encode(),
    "quoted lines": (HEAD + "\n" + "> a\nb\n" * 200_000).encode(),
    "header lines": (HEAD + "\n" + "From: a\n" * 200_000).encode(),
    "blank lines": (HEAD + "\n" + "\n" * 1_000_000 + "x:").encode(),
    "one line": (HEAD + "\nOn 2026 " + "17:44 " * 1_000_000 + ":\n> x").encode(),
    "zeros": HEAD.encode() + b"\n" + b"\0" * 1_000_000,
    "no email": b"\xff\xfe" * 100_000,
    "page": (HEAD + "Content-Type: text/html\n\n" + "<blockquote>" * 200_000).encode(),
}


REFUSED = {"nested", "comments", "no body", "long header", "parts"}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_email_is_read_or_refused_in_time(name: str) -> None:
    began = time.monotonic()
    head = await read_mail_head(HOSTILE[name], ADDRESS)
    found = await read_mail(HOSTILE[name], QUERY, "site:a")
    assert head.problem or found.problem or name not in REFUSED
    assert len(found.text) <= QUERY.most_characters
    assert time.monotonic() - began < 60  # of a busy machine; each has 15 seconds of work
