"""Files and images in the exports of other programs become files and images of questions."""

import io
from base64 import b64encode

import pytest
from pytest_django import Settings

from chat.conversations.attached_files import image_digests, original_digests, split_files
from chat.import_export import import_reader
from chat.import_export.exported_files import ExportedFiles
from chat.import_export.file_format import ExportedMessage
from chat.import_export.import_report import ImportReport
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import chat, encoded
from tests.import_export.chatgpt_zips import (
    LAKE,
    PAGES,
    PDF_ID,
    PNG_ID,
    attached,
    export,
    question,
    shown,
)
from tests.import_export.foreign_files import with_files
from tests.support.documents.samples import WORDS, docx, pdf, zipped
from tests.support.widget.pictures import png


async def first_question(data: io.BytesIO, report: ImportReport) -> ExportedMessage:
    (found,) = await with_files(data, report)
    return found.messages[0]


@pytest.mark.parametrize(
    ("pdf_name", "png_name", "pointer"),
    [
        (f"{PDF_ID}-plan.pdf", f"{PNG_ID}-sanitized.png", f"sediment://{PNG_ID}"),
        (f"export/{PDF_ID}.dat", f"a/b/{PNG_ID}.dat", f"file-service://{PNG_ID}"),
    ],
)
async def test_chatgpt_brings_documents_and_images(
    pdf_name: str, png_name: str, pointer: str
) -> None:
    files = {pdf_name: PAGES, png_name: LAKE, "user.json": b"{}"}
    named = {"id": PDF_ID, "name": "plan.pdf", "mime_type": "application/pdf"}
    report = ImportReport()
    asked = await first_question(
        export(files, question(shown(pointer), "Read it", **attached(named))), report
    )
    text, (document, image) = split_files(asked.text)
    assert (text, document.name, image.name) == ("Read it\n", "plan.pdf", "image.png")
    assert WORDS in document.block
    assert original_digests(asked.text) == [document.original]
    assert image_digests(asked.text) == [image.image]
    assert asked.images == [b64encode(LAKE).decode()]
    assert asked.files == [b64encode(PAGES).decode()]
    assert not report.files


async def test_an_image_that_is_also_an_attachment_is_there_once() -> None:
    named = {"id": PNG_ID, "name": "lake.png", "mime_type": "image/png"}
    asked = await first_question(
        export({f"{PNG_ID}.dat": LAKE}, question(shown(f"sediment://{PNG_ID}"), **attached(named))),
        ImportReport(),
    )
    assert [each.name for each in split_files(asked.text).files] == ["lake.png"]
    assert len(asked.images) == 1


async def test_branches_share_a_file(settings: Settings) -> None:
    named = attached({"id": PDF_ID, "name": "plan.pdf"})
    nodes = [question("One", key="a", **named), question("Two", key="b", **named)]
    (found,) = await with_files(export({f"{PDF_ID}.dat": PAGES}, *nodes), ImportReport())
    one, two = found.messages
    assert original_digests(one.text) == original_digests(two.text) != []
    assert (len(one.files), len(two.files)) == (1, 0)
    settings.KEEP_QUESTION_FILES = False
    (found,) = await with_files(export({f"{PDF_ID}.dat": PAGES}, *nodes), ImportReport())
    assert not any(original_digests(each.text) or each.files for each in found.messages)
    assert all(WORDS in each.text for each in found.messages)


async def test_a_text_file_needs_no_original() -> None:
    named = attached({"id": PDF_ID, "name": "notes.md"})
    asked = await first_question(
        export({f"{PDF_ID}-notes.md": b"# Lakes\n"}, question("Read it", **named)), ImportReport()
    )
    assert asked.text == "Read it\nnotes.md:\n```md\n# Lakes\n```\n"
    assert not asked.files


async def test_open_webui_brings_texts_and_images() -> None:
    address = f"data:image/png;base64,{b64encode(LAKE).decode()}"
    stored = {"filename": "plan.pdf", "data": {"content": WORDS}, "meta": {}}
    files = [
        {"type": "file", "file": stored, "id": "8f0a", "url": "8f0a"},
        {"type": "image", "url": address},
        {"type": "collection", "name": "Handbook"},
    ]
    data = webui.file(
        webui.chat(webui.said("q", None, "user", "Why?", 1, files=files), current="q")
    )
    report = ImportReport()
    asked = await first_question(data, report)
    assert asked.text.startswith(
        f"Why?\n\n[File not imported: Handbook]\nplan.pdf:\n```pdf\n{WORDS}"
    )
    assert asked.images == [b64encode(LAKE).decode()]
    assert len(image_digests(asked.text)) == 1


async def test_librechat_brings_texts() -> None:
    files = [
        {"filename": "plan.pdf", "type": "application/pdf", "text": WORDS},
        {"filename": "lake.png", "type": "image/png", "filepath": "/images/x.png"},
    ]
    asked = await first_question(
        libre.file(libre.said("q1", "", "How?", 1, files=files)), ImportReport()
    )
    assert asked.text == f"How?\n\n[File not imported: lake.png]\nplan.pdf:\n```pdf\n{WORDS}\n```\n"


async def test_images_of_answers_are_named() -> None:
    made = {"filename": "chart.png", "type": "image/png"}
    data = libre.file(
        libre.said("q1", libre.ROOT, "How?", 1),
        libre.said("a1", "q1", "So.", 2, attachments=[made, {"type": "web_search"}]),
    )
    report = ImportReport()
    (found,) = await with_files(data, ImportReport())
    assert found.messages[1].text == "So.\n\n[File not imported: chart.png]"
    assert not report.files


async def test_a_recording_is_counted_and_its_words_stay() -> None:
    spoken = {"content_type": "audio_transcription", "text": "Draw a river"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": f"sediment://{PDF_ID}"}
    data = io.BytesIO(encoded(chat(question(spoken, sound))))
    report = import_reader.check(data)
    (found,) = await with_files(data, report)
    assert found.messages[0].text == "Draw a river"
    assert report.files == {"Sound and video can't be imported.": 1}


def of_claude(*texts: str, question: str = "Why?") -> io.BytesIO:
    files = [{"file_name": f"{at}.txt", "extracted_content": text} for at, text in enumerate(texts)]
    return claude.file(claude.chat(claude.said("a", "human", question, 1, attachments=files)))


async def test_a_text_that_is_too_long_for_a_message_is_cut(settings: Settings) -> None:
    settings.MAX_MESSAGE_CHARS = 5000
    report = ImportReport()
    asked = await first_question(of_claude("A lake.\n" * 10_000), report)
    assert 4000 < len(asked.text) <= 5000
    assert "The rest is left out here.]" in asked.text
    assert [each.name for each in split_files(asked.text).files] == ["0.txt"]
    asked = await first_question(of_claude("A lake.\n" * 900, "B" * 900, "`" * 2000), report)
    assert [each.name for each in split_files(asked.text).files] == ["0.txt"]
    assert len(asked.text) <= 5000
    assert report.files == {"There's no room for the text in the message.": 2}


async def test_a_full_question_stays_without_its_files(settings: Settings) -> None:
    settings.MAX_MESSAGE_CHARS = 1000
    report = ImportReport()
    asked = await first_question(of_claude("A lake.\n" * 100, question="x" * 1000), report)
    assert asked.text == "x" * 1000
    assert sum(report.files.values()) == 1


async def test_storage_limits_what_is_imported_and_never_costs_a_chat() -> None:
    nodes = question("Read it", **attached({"id": PDF_ID, "name": "plan.pdf"}, {"id": PNG_ID}))
    data = export({f"{PDF_ID}.dat": PAGES, f"{PNG_ID}.dat": LAKE}, nodes)
    report = ImportReport()
    (found,) = await with_files(data, report, room_bytes=200)  # for the text of the PDF
    asked = found.messages[0]
    assert WORDS in asked.text
    assert not asked.files
    assert any(each.startswith("Only the text was imported.") for each in report.files)
    report = ImportReport()
    (found,) = await with_files(data, report, room_bytes=0)
    assert found.messages[0].text == "Read it\n\n[File not imported: plan.pdf]\n[File not imported]"
    assert report.files["There's no room in your storage."] == 2


async def test_a_question_has_as_many_images_as_a_sent_one(settings: Settings) -> None:
    settings.MAX_MESSAGE_IMAGES = 2
    files = {f"file_{at:032}.dat": png(2 + at, 2) for at in range(5)}
    parts = [shown(f"sediment://{name[:-4]}") for name in files]
    report = ImportReport()
    asked = await first_question(export(files, question(*parts)), report)
    assert len(image_digests(asked.text)) == len(asked.images) == 2
    assert asked.text.count("[Image not imported]") == 3
    assert report.files == {"Too many in one message.": 3}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("lake.png", b"\x89PNG\r\n\x1a\nnothing", "This isn't an image that can be read."),
        ("lake.png", PAGES, "This isn't an image that can be read."),
        ("lake.png", png(9000, 2), "The image must be at most 4096 pixels wide and high."),
        ("plan.pdf", b"%PDF-1.4 nothing", "This file is damaged, so it can't be read."),
        ("plan.pdf", pdf(""), "There's no text in this file."),
        ("song.mp3", b"ID3\x04" + bytes(range(256)) * 9, "Files of this kind can't be read here."),
        ("plan.docx", zipped({"a": b"x"}), "Files of this kind can't be read here."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # a ZIP file contains the time
)
async def test_a_file_that_can_not_be_read_is_named(name: str, content: bytes, reason: str) -> None:
    kind = "image/png" if name.endswith(".png") else "application/octet-stream"
    named = attached({"id": PDF_ID, "name": name, "mime_type": kind})
    report = ImportReport()
    asked = await first_question(
        export({f"{PDF_ID}.dat": content}, question("Look", **named)), report
    )
    assert asked.text == f"Look\n\n[File not imported: {name}]"
    assert [each.startswith(reason) for each in report.files] == [True]


async def test_an_attached_json_file_is_no_export() -> None:
    named = attached({"id": PDF_ID, "name": "data.json"})
    files = {
        f"{PDF_ID}-data.json": b'[{"title":"x","mapping":{}',
        "files/" + "a" * 32 + " x.json": b"[",
    }
    asked = await first_question(export(files, question("Read it", **named)), ImportReport())
    assert '```json\n[{"title":"x","mapping":{}\n```' in asked.text


async def test_a_large_file_is_read_once_for_each_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = ExportedFiles.read

    def counted(self: ExportedFiles, file_id: str, most_bytes: int) -> bytes | None:
        reads.append(file_id)
        return read(self, file_id, most_bytes)

    monkeypatch.setattr(ExportedFiles, "read", counted)
    named = attached({"id": PDF_ID, "name": "plan.docx"})
    nodes = [question("x", key=f"q{at}", **named) for at in range(20)]
    await with_files(export({f"{PDF_ID}.dat": docx()}, *nodes), ImportReport())
    assert reads == [PDF_ID]
