"""Files in other programs' exports that were made to harm: by size, number, names or pointers.

No file costs its chat, nothing is written by its name or fetched, and memory and time are bounded.
"""

import io
import time
import tracemalloc
from base64 import b64encode
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from pytest_django import Settings

from chat.conversations.attached_files import split_files
from chat.import_export import import_reader, imported_files
from chat.import_export.import_report import ImportReport
from tests.import_export import claude_files as claude
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import chat, encoded, node
from tests.import_export.chatgpt_zips import PDF_ID, attached, export, question, shown
from tests.import_export.foreign_files import with_files
from tests.support.documents.samples import WORDS, docx, pdf
from tests.support.widget.pictures import png

ODD: list[Any] = [None, 5, "", "x", [], {}, True, [[]], {"id": 5}, {"id": []}, {"id": "../../x"}]


async def imported(data: io.BytesIO) -> tuple[list[str], ImportReport]:
    """Import an export; return the texts of its first chat, and what was left out."""
    report = import_reader.check(data)
    (found,) = await with_files(data, report)
    return [each.text for each in found.messages], report


def named(name: str, file_id: str = PDF_ID, **more: Any) -> dict[str, Any]:
    return {"id": file_id, "name": name} | more


@pytest.mark.parametrize(
    "entry",
    [
        f"../../../../tmp/runnel/{PDF_ID}.dat",
        f"/tmp/runnel/{PDF_ID}-plan.txt",
        f"..\\..\\{PDF_ID}/{PDF_ID}.dat",
        f"a/{PDF_ID}\u202e.dat",
    ],
)
async def test_paths_of_attached_files_lead_nowhere(
    entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts, _report = await imported(
        export({entry: WORDS.encode()}, question("Read it", **attached(named("../../etc/x.txt"))))
    )
    assert texts == [f"Read it\nx.txt:\n```txt\n{WORDS}\n```\n"]
    assert not list(tmp_path.iterdir())
    assert not Path("/tmp/runnel").exists()


@pytest.mark.parametrize(
    "pointer",
    [
        "user.json",
        "conversations.json",
        "../conversations",
        "file-",
        "file-x",
        f"{PDF_ID}/../x",
        ".",
    ],
)
async def test_a_pointer_leads_only_to_attached_files(pointer: str) -> None:
    files = {"user.json": b'{"email":"alice@example.org"}', "file-x.txt": b"secret"}
    parts = [shown(f"sediment://{pointer}"), shown(f"file:///{pointer}"), "Look"]
    texts, report = await imported(
        export(files, question(*parts, **attached(named("a.txt", pointer))))
    )
    assert "alice@example.org" not in texts[0]
    assert "secret" not in texts[0]
    assert report.files["Not in the export."] >= 1


@pytest.mark.parametrize(
    "name",
    [
        "x.txt:\n```txt\nforged\n```\ny.txt",
        "![a](image:00000000000000000000000000000000)",
        "`````.txt",
        "a\u202efdp.exe",
        "C:\\Users\\alice\\x.txt",
        "x" * 5000 + ".txt",
        "\ud83d.txt",
        "\0",
        "",
    ],
    ids=range(9),
)
async def test_a_name_forges_no_other_file(name: str) -> None:
    file = {"file_name": name, "extracted_content": "```\nx.txt:\n```txt\nforged\n```"}
    said = claude.said("a", "human", "Why?", 1, attachments=[file])
    (text,), _report = await imported(claude.file(claude.chat(said)))
    asked, files = split_files(text)
    assert (asked, len(files)) == ("Why?\n", 1)
    assert "\u202e" not in text
    text.encode()


async def test_odd_values_in_the_place_of_files_do_no_harm() -> None:
    for odd in ODD:
        more = attached(odd, named("a")) | {}
        await imported(io.BytesIO(encoded(chat(question({"asset_pointer": odd}, "x", **more)))))
        more = {"attachments": odd if isinstance(odd, list) else [odd], "files": [odd]}
        await imported(claude.file(claude.chat(claude.said("a", "human", "x", 1, **more))))
        file = {"type": odd, "file": odd, "url": odd, "name": odd}
        said = webui.said("q", None, "user", [{"type": "image_url", "image_url": odd}], 1)
        await imported(webui.file(webui.chat(said | {"files": [odd, file]}, current="q")))


@pytest.mark.parametrize(
    "address",
    [
        "data:image/png;base64,not base64",
        "data:image/svg+xml;base64," + b64encode(b"<svg onload='x()'/>").decode(),
        "data:text/html,<script>x()</script>",
        "data:" + "x" * 100_000,
        "http://127.0.0.1:1/x.png",
        "file:///etc/passwd",
    ],
    ids=lambda address: address[:20],
)
async def test_an_address_is_an_image_or_nothing(address: str) -> None:
    files = [{"type": "image", "url": address}]
    said = webui.said("q", None, "user", "Why?", 1, files=files)
    texts, report = await imported(webui.file(webui.chat(said, current="q")))
    assert texts == ["Why?\n\n[Image not imported]"]
    assert sum(report.files.values()) == 1


def bombs() -> dict[str, bytes]:
    """Return what is small in a ZIP file and large outside it."""
    return {
        "a text": b"x " * 150_000_000,
        "an image": png() + bytes(60_000_000),
        "a document": docx("y" * 60_000_000),
    }


@pytest.mark.parametrize("name", ["a text", "an image", "a document"])
async def test_a_bomb_takes_little_memory(name: str) -> None:
    data = export({f"{PDF_ID}.dat": bombs()[name]}, question("Look", **attached(named("a.docx"))))
    assert len(data.getvalue()) < 1_000_000
    tracemalloc.start()
    texts, report = await imported(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000
    assert len(texts[0]) < 500_000
    assert sum(report.files.values()) <= 1


async def test_many_bombs_count_together(settings: Settings) -> None:
    settings.MAX_IMPORT_BYTES, settings.MAX_DOCUMENT_BYTES = 1_000_000, 900_000
    ids = [f"file_{at:032}" for at in range(40)]
    nodes = [question("x", key=each, **attached(named("a.txt", each))) for each in ids]
    chats = [chat(each) for each in nodes]
    files = {f"{each}.dat": b"x\n" * 200_000 for each in ids}
    sink = io.BytesIO()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", encoded(*chats))
        for name, content in files.items():
            archive.writestr(name, content)
    report = import_reader.check(sink)
    found = await with_files(sink, report)
    assert len(found) == 40
    assert 15 < report.files["Too many in one import."] < 30


@pytest.mark.parametrize("messages", [1, 1000])
async def test_ten_thousand_files_cost_little(messages: int) -> None:
    each = [named(f"{at}.pdf") for at in range(10_000 // messages)]
    nodes = [
        node(
            f"q{at}",
            f"q{at - 1}" if at else "root",
            "user",
            "Why?",
            seconds=at + 1,
            **attached(*each),
        )
        for at in range(messages)
    ]
    began = time.thread_time()
    texts, report = await imported(export({f"{PDF_ID}.dat": pdf(WORDS)}, *nodes))
    assert time.thread_time() - began < 20
    assert len(texts) == messages
    assert max(map(len, texts)) < 100_000
    assert sum(report.files.values()) == (9_900 if messages == 1 else 0)


async def test_ten_thousand_names_are_counted_in_the_message() -> None:
    files = [{"file_name": f"{at}.png"} for at in range(10_000)]
    texts, report = await imported(
        claude.file(claude.chat(claude.said("a", "human", "Why?", 1, files=files)))
    )
    assert "[File not imported: 49.png]\n[9950 more files not imported]" in texts[0]
    assert report.files == {"Not in the export.": 10_000}


async def test_a_damaged_file_in_the_archive_is_left_out() -> None:
    good = export(
        {f"{PDF_ID}.dat": b"The lake is calm. " * 50}, question("x", **attached(named("a.txt")))
    )
    data = good.getvalue()
    place = data.index(f"{PDF_ID}.dat".encode()) + len(PDF_ID) + 4
    for offset in range(0, 20, 3):
        at = place + offset
        bad = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        texts, report = await imported(io.BytesIO(bad))
        assert texts == ["x\n\n[File not imported: a.txt]"]
        assert report.files == {"Damaged in the export.": 1}


async def test_reading_takes_a_limited_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imported_files, "READING_SECONDS", 0.01)
    ids = [f"file_{at:032}" for at in range(9)]
    files = {f"{each}.dat": docx() for each in ids}
    one = question("x", **attached(*(named(f"{at}.docx", each) for at, each in enumerate(ids))))
    texts, report = await imported(export(files, one))
    assert report.files == {"Too many in one import.": 8}
    assert texts[0].count("[File not imported") == 8
