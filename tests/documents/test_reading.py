"""The text of a file of any kind is found, whatever its name is."""

import asyncio
import zipfile
from io import BytesIO

import pytest
from pytest_django import Settings

from chat.documents import reading
from chat.documents.errors import DocumentUnreadable
from chat.documents.reader import files
from chat.documents.reader.document_text import DocumentText
from chat.documents.reading import read_for_message
from tests.support.documents import samples
from tests.support.documents.samples import SAMPLES, WORDS, pdf

NAMED_BY_CONTENT = ["a.pdf", "a.docx", "a.xlsx", "a.pptx", "a.odt", "a.ods", "a.odp", "a.epub", "a.rtf"]  # fmt: skip
#: In encodings that only their bytes tell.
ENCODED = [
    ("Grüße aus Köln, naïve Café", "cp1252"),
    ("Preis: 5 € – „gut“", "cp1252"),
    ("日本語のテキストです。", "shift_jis"),
    ("你好，世界。这是一个测试文件。", "gb18030"),
    ("안녕하세요. 한국어 문서입니다.", "euc_kr"),
    ("Привет, это тест. Русский текст.", "cp1251"),
    ("Grüße", "utf-16"),
]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_of_each_kind_is_read(name: str) -> None:
    content, more = SAMPLES[name]
    found = files.text_of(content, name, 1000)
    assert found.problem == ""
    assert WORDS in found.text
    assert more in found.text
    assert "Secret" not in found.text
    assert not found.is_cut


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx", "odt", "ods", "epub", "odp"])
def test_signs_that_xml_writes_as_references_are_kept(kind: str) -> None:
    written = "AT&amp;T, if x &lt; 5 &gt; y: &quot;R&#38;D&quot; &#x3c; &#8364; Euro"
    content = getattr(samples, kind)(written)
    found = files.text_of(content, f"a.{kind}", 1000).text.replace("\\", "")
    assert 'AT&T, if x < 5 > y: "R&D" < € Euro' in found


@pytest.mark.parametrize("name", NAMED_BY_CONTENT)
def test_a_wrong_name_changes_nothing(name: str) -> None:
    assert WORDS in files.text_of(SAMPLES[name][0], "photo.txt", 1000).text


@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_text_in_other_encodings_is_read(text: str, encoding: str) -> None:
    found = files.text_of(f"{text}\r\n".encode(encoding), "a.txt", 1000)
    assert found.text == f"{text}\n"


@pytest.mark.parametrize("name", ["a.odt", "a.epub"])
def test_a_zip_with_its_files_in_another_order_is_read(name: str) -> None:
    with zipfile.ZipFile(BytesIO(SAMPLES[name][0])) as archive:
        files_in_it = {each: archive.read(each) for each in reversed(archive.namelist())}
    assert WORDS in files.text_of(samples.zipped(files_in_it), name, 1000).text


@pytest.mark.parametrize("head", ["<head>", "<HEAD lang='en'>", "<!-- \u0130\u0130 -->\n<head\n>"])
def test_only_the_body_of_a_web_page_is_read(head: str) -> None:
    page = f"{head}<title>Secret</title></head ><body><header>Menu</header><p>{WORDS}</p></body>"
    text = files.text_of(page.encode(), "a.html", 1000).text
    assert text == f"Menu\n\n{WORDS}\n"


async def test_pages_are_numbered() -> None:
    found = await read_for_message(pdf("First page", "", "Third page"), "a.pdf", "alice")
    assert (found.pages, found.pages_read, found.is_cut) == (3, 3, False)
    assert found.text == "[Page 1]\nFirst page\n\n[Page 3]\nThird page\n"


async def test_a_word_that_is_divided_between_lines_is_one_word() -> None:
    text = await read_for_message(pdf("There are alterna-) Tj 0 -14 Td (tives"), "a.pdf", "alice")
    assert text.text == "[Page 1]\nThere are alternatives\n"


async def test_what_does_not_fit_is_left_out_with_a_note(settings: Settings) -> None:
    settings.MAX_MESSAGE_CHARS = 100
    long_pages = await read_for_message(pdf(*["A page of words"] * 9), "a.pdf", "alice")
    assert (long_pages.pages_read, long_pages.pages, long_pages.is_cut) == (2, 9, True)
    assert long_pages.text.endswith("\n\n[Pages 3 to 9 are left out here.]\n")
    lines = await read_for_message(b"A line of text\n" * 20, "a.txt", "alice")
    assert lines.text.startswith("A line of text\n" * 5)
    assert lines.text.endswith("text\n\n[The file goes on. The rest is left out here.]\n")


UNREADABLE = {
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "unsupported"),
    "a program": (b"\x7fELF\2\1\1\0" + bytes(50), "unsupported"),
    "a ZIP": (samples.zipped({"a.txt": "Hello"}), "unsupported"),
    "nothing": (b"", "no_text"),
    "a scan": (pdf("", ""), "no_text"),
    "a PDF that breaks off": (b"%PDF-1.7\n1 0 obj\n<< /Type", "damaged"),
    "a document that breaks off": (samples.docx()[:300], "damaged"),
    "a document without its text": (samples.zipped({"[Content_Types].xml": "<", "word/a": ""}), "damaged"),
    "a file of Office with a password": (files.OLE + bytes(500) + files.ENCRYPTED_OFFICE, "encrypted"),
    "a document with a password": (samples.opendocument("text", "x", "<manifest:encryption-data/>"), "encrypted"),
    "an old file of an unknown program": (files.OLE + bytes(500), "unsupported"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_has_a_reason(name: str) -> None:
    content, problem = UNREADABLE[name]
    assert files.text_of(content, "file", 1000).problem == problem


async def test_the_reason_is_in_words() -> None:
    with pytest.raises(DocumentUnreadable) as raised:
        await read_for_message(UNREADABLE["a document with a password"][0], "a.odt", "alice")
    assert "password" in raised.value.public


async def test_one_members_file_does_not_wait_for_anothers_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []

    async def note(content: bytes, name: str, most: int) -> DocumentText:
        order.append(name)
        await asyncio.sleep(0)
        return DocumentText("x")

    monkeypatch.setattr(reading, "_read", note)
    waiting = [
        read_for_message(b"x", f"alice {n}.html", "alice") for n in range(reading.MAX_WAITING)
    ]
    await asyncio.gather(*waiting, read_for_message(b"x", "bob.html", "bob"))
    assert order.index("bob.html") <= 1
