"""Export a chat or an answer as a document that text processors open, with text as text only."""

import io
import re
from collections.abc import Iterator
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from kreuzberg import ExtractionConfig, extract_bytes_sync

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.import_export.docx import elements
from chat.import_export.docx.document import conversation_docx
from chat.import_export.docx.elements import Numbering
from chat.import_export.docx.markup import answer_markup
from tests.browser.payloads import PAYLOADS
from tests.support.web.signed_in import signed_in

TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
RICH = """# Rivers & seas

Text **bold**, *slanted*, `a < b` and [a site](https://example.org/?a=1&b=2).

3. third
4. fourth
   - inside

```python
if a < b:
    print("&")
```

| Name | Size |
|------|-----:|
| Nile | **6650** |

Energy is $E = m_1 c^2$ and \\(a*b*c\\), for $5 or $6."""


def body_of(text: str) -> ElementTree.Element:
    """Return the answer's elements, which are well-formed."""
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="r"'
    markup = answer_markup(text, Numbering())
    return ElementTree.fromstring(f"<w:body {names}>{markup}</w:body>")


def words(element: ElementTree.Element) -> str:
    return "".join(each.text or "" for each in element.iter(f"{W}t"))


def new_chat(user: User, question: str = "Why?", answer: str = RICH) -> Conversation:
    chat = Conversation.objects.create(owner=user, title="Rivers <&> seas")
    asked = chat.messages.create(role="user", text=question)
    chat.messages.create(parent=asked, role="assistant", text=answer)
    return chat


def parts_of(chat: Conversation, only_id: int | None = None) -> dict[str, str]:
    with ZipFile(io.BytesIO(b"".join(conversation_docx(chat, only_id)))) as file:
        assert file.testzip() is None
        parts = {name: file.read(name).decode() for name in file.namelist()}
    for text in parts.values():
        ElementTree.fromstring(text)
    return parts


@pytest.mark.django_db
def test_another_program_reads_its_headings_lists_tables_and_links(alice: User) -> None:
    # Without & and <, which this program leaves out of any document.
    answer = (
        RICH.replace("& ", "").replace("a < b", "a == b").replace("&b=2", "").replace("&", "and")
    )
    chat = new_chat(alice, "Why do rivers bend?\n# not a heading", answer)
    content = b"".join(conversation_docx(chat))
    options = ExtractionConfig(output_format="markdown")
    read = extract_bytes_sync(content, TYPE, options).content
    for expected in (
        "Why do rivers bend?",
        "# You",
        "## Rivers seas",
        "**bold**",
        "*slanted*",
        "[a site](https://example.org/?a=1)",
        "1. third\n2. fourth",
        "- inside",
        "if a == b:",
        'print("and")',
        "| Nile |",
        "$E = m_1 c^2$ and (a*b*c), for $5 or $6.",
    ):
        assert expected in read.replace("\\", "")


@pytest.mark.django_db
def test_only_the_chosen_answer_is_in_the_document_of_one(alice: User) -> None:
    chat = new_chat(alice, "The question", "The answer")
    answer = chat.messages.get(role="assistant")
    address = f"/chat/{chat.pk}/export.docx"
    client = signed_in(alice)
    assert "The question" not in parts_of(chat, answer.pk)["word/document.xml"]
    response = client.get(f"{address}?message={answer.pk}")
    assert response["Content-Type"] == TYPE
    assert response["Content-Disposition"].startswith("attachment; filename=")
    for wrong in (chat.messages.get(role="user").pk, answer.pk + 99):
        assert client.get(f"{address}?message={wrong}").status_code == 404


@pytest.mark.django_db
def test_an_answer_of_another_chat_is_not_exported(alice: User, bob: User) -> None:
    own, other = new_chat(bob), new_chat(alice)
    answer = other.messages.get(role="assistant")
    path = f"/chat/{own.pk}/export.docx?message={answer.pk}"
    assert signed_in(bob).get(path).status_code == 404
    assert signed_in(bob).get(f"/chat/{other.pk}/export.docx").status_code == 404


@pytest.mark.django_db
def test_hidden_text_is_not_in_the_document(alice: User) -> None:
    chat = new_chat(alice, "Asked", "Secret-Sentinel")
    chat.messages.filter(role="assistant").update(hidden_at="2026-01-01T00:00Z")
    assert "Secret-Sentinel" not in parts_of(chat)["word/document.xml"]


@pytest.mark.django_db
def test_hostile_text_stays_text(alice: User) -> None:
    """Nothing but hyperlinks of the allowed schemes leads outside, and there are no fields."""
    answer = "\n\n".join(
        [*PAYLOADS, '{ INCLUDETEXT "file:///etc/passwd" }', "![x](http://t/x.png)"]
    )
    parts = parts_of(new_chat(alice, "\x00\x0b]]></w:t>&#x0;", answer))
    assert set(re.findall(r"<(?:\w+:)?(\w+)", parts["word/document.xml"])) <= {
        "document", "body", "p", "pPr", "pStyle", "r", "rPr", "rStyle", "t", "b", "i", "strike",
        "hyperlink", "br", "numPr", "ilvl", "numId", "ind", "bidi", "rtl", "tbl", "tblPr",
        "tblStyle", "tblW", "tblGrid", "gridCol", "tr", "trPr", "tblHeader", "tc", "tcPr", "sectPr",
        "pgSz", "pgMar", "xml",
    }  # fmt: skip
    outside = re.findall(r'Target="([^"]*)" TargetMode', parts["word/_rels/document.xml.rels"])
    assert outside
    assert [each for each in outside if not each.startswith(("http", "mailto:"))] == []


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "ftp://example.org",
        "//example.org",
        "http://",
        "https://a[b",
        "https://example.org:port/",
        "https://example.org/" + "a" * 3000,
    ],
)
def test_other_addresses_are_no_links(address: str) -> None:
    assert Numbering().relation_of(address) == ""
    assert body_of(f"[text]({address})").find(f".//{W}hyperlink") is None


def test_links_beyond_the_limit_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "MAX_LINKS", 2)
    found = body_of(" ".join(f"[n{at}](https://example.org/{at})" for at in range(4)))
    assert len(found.findall(f".//{W}hyperlink")) == 2
    assert words(found) == "n0 n1 n2 n3"


def test_formulas_are_as_they_were_written() -> None:
    text = words(body_of("$a_1 * b_2 * c$ and \\[x\\_1\\]\n\nBut $5 and $6, and $7*x*."))
    assert "$a_1 * b_2 * c$ and \\[x\\_1\\]" in text
    assert "$5 and $6, and $7x." in text


def test_ordered_lists_begin_with_their_number() -> None:
    numbering = Numbering()
    answer_markup("3. a\n4. b\n\ntext\n\n1. c", numbering)
    assert numbering.starts == [3, 1]


def test_code_keeps_its_lines_and_spaces() -> None:
    code = [each for each in body_of("```\na\n\n  b\tc\n```") if each.tag == f"{W}p"]
    assert [words(each) for each in code] == ["a", "", "  b    c"]


def test_arabic_paragraphs_run_from_right_to_left() -> None:
    first, second = body_of("مرحبا world\n\nhello مرحبا")
    assert first.find(f".//{W}bidi") is not None
    assert second.find(f".//{W}bidi") is None


def test_a_table_with_more_columns_than_word_has_is_text() -> None:
    found = body_of(f"|{'a|' * 70}\n|{'-|' * 70}\n|{'b|' * 70}")
    assert found.find(f"{W}tbl") is None
    assert words(found).count("b") == 70


@given(st.text(alphabet=st.sampled_from(list("ab*_`~[]()<>#-+1.|$\\!&\"' \n\t\0مא")), max_size=200))
def test_any_text_gives_well_formed_elements(text: str) -> None:
    body_of(text)


def test_a_chat_is_written_in_pieces(alice: User, db: None) -> None:
    chat = new_chat(alice, "q", "word " * 60_000)
    pieces: Iterator[bytes] = conversation_docx(chat)
    assert sum(1 for each in pieces if each) > 3


def test_the_menu_of_a_chat_leads_to_it(alice: User, db: None) -> None:
    chat = new_chat(alice)
    client: Client = signed_in(alice)
    page = client.get(f"/chat/{chat.pk}/options/").content.decode()
    assert f'href="/chat/{chat.pk}/print/"' in page
    assert f"/chat/{chat.pk}/export.docx" in client.get(f"/chat/{chat.pk}/print/").content.decode()
