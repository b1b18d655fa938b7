"""Files are added by scripts one by one, by forms several at once, and in ZIP files."""

from io import BytesIO
from typing import Any
from zipfile import ZIP_BZIP2, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.indexing import archives
from chat.knowledge import models
from chat.knowledge.models import Collection, Document
from chat.web.collections.views import adding
from tests.support.documents.samples import pdf
from tests.support.knowledge.collections import new_collection

pytestmark = pytest.mark.usefixtures("stop_server_process")
PLACE = "/collections/files/"


@pytest.fixture
async def handbook(alice: User) -> Collection:
    return await new_collection(alice)


async def send(client: AsyncClient, collection: Collection, name: str, content: bytes) -> Any:
    place = f"{PLACE}?collection={collection.pk}&name={name}"
    kind = "application/octet-stream"
    return await client.post(place, data=content, content_type=kind)


def zipped(files: dict[str, bytes], comment: bytes = b"") -> bytes:
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        archive.comment = comment
        for name, each in files.items():
            archive.writestr(name, each)
    return content.getvalue()


async def names() -> list[str]:
    return [each.name async for each in Document.objects.order_by("name")]


async def test_a_script_adds_a_file(alice_client: AsyncClient, handbook: Collection) -> None:
    response = await send(alice_client, handbook, "trips/plan.txt", b"Words")
    document = await Document.objects.aget()
    added = [{"id": str(document.pk), "name": "trips › plan.txt"}]
    assert (response.status_code, response.json()) == (201, {"added": added, "refused": []})
    assert document.state == "waiting"


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"", 400, "document_empty"),
        (b"x" * 2000, 413, "document_too_large"),
    ],
)
async def test_a_refused_file_says_why(
    content: bytes,
    status: int,
    code: str,
    alice_client: AsyncClient,
    handbook: Collection,
    settings: Settings,
) -> None:
    settings.MAX_DOCUMENT_BYTES = 1024
    response = await send(alice_client, handbook, "a.txt", content)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert await names() == []


async def test_others_can_add_nothing(
    bob_client: AsyncClient,
    rita_client: AsyncClient,
    anonymous_client: AsyncClient,
    handbook: Collection,
) -> None:
    for client, status in ((bob_client, 404), (rita_client, 404), (anonymous_client, 401)):
        assert (await send(client, handbook, "a.txt", b"Words")).status_code == status
    assert await names() == []


async def test_files_are_counted(
    alice_client: AsyncClient, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "UPLOADS_PER_MINUTE", 1)
    assert (await send(alice_client, handbook, "a.txt", b"Words")).status_code == 201
    refused = await send(alice_client, handbook, "b.txt", b"Words")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0


async def test_a_full_collection_takes_no_more(
    alice_client: AsyncClient, handbook: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.indexing.documents.MAX_DOCUMENTS", 1)
    await send(alice_client, handbook, "a.txt", b"Words")
    refused = await send(alice_client, handbook, "b.txt", b"Words")
    assert refused.json()["error"]["code"] == "collection_full"
    assert models.MAX_DOCUMENTS == 2000


async def test_a_form_adds_several_files(alice_client: AsyncClient, handbook: Collection) -> None:
    files = [
        SimpleUploadedFile("a.txt", b"Words"),
        SimpleUploadedFile("empty.txt", b""),
        SimpleUploadedFile("b.zip", zipped({"c.txt": b"More"})),
    ]
    sent = await alice_client.post(PLACE, {"collection": str(handbook.pk), "file": files})
    assert sent["Location"] == f"/collections/{handbook.pk}/"
    shown = (await alice_client.get(sent["Location"])).content.decode()
    assert "2 files were added." in shown
    assert "empty.txt: This file is empty." in shown
    assert await names() == ["a.txt", "c.txt"]


async def test_a_zip_file_is_added_as_its_files(
    alice_client: AsyncClient, handbook: Collection
) -> None:
    files = {
        "site/a.txt": b"Words",
        "site/sub/a.pdf": pdf("Page"),
        "site/sub/empty.txt": b"",
        "site/.hidden": b"x",
        "__MACOSX/site/._a.txt": b"x",
    }
    response = await send(alice_client, handbook, "site.zip", zipped(files, b"a comment"))
    assert response.status_code == 201
    refused = [{"name": "sub/empty.txt", "reason": "This file is empty."}]
    assert response.json()["refused"] == refused
    assert await names() == ["a.txt", "sub › a.pdf"]


async def test_a_document_in_zip_format_is_one_file(
    alice_client: AsyncClient, handbook: Collection
) -> None:
    await send(alice_client, handbook, "letter.zip", zipped({"[Content_Types].xml": b"x"}))
    assert await names() == ["letter.zip"]


def bzipped() -> bytes:
    content = BytesIO()
    with ZipFile(content, "w", ZIP_BZIP2) as archive:
        archive.writestr("a.txt", b"Words")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (zipped({"a.txt": b"x"})[:-30], "document_unreadable"),
        (zipped({}), "archive_empty"),
        (zipped({f"{number}.txt": b"x" for number in range(4)}), "archive_too_large"),
        (zipped({"a.txt": b"x" * 2000}), "document_too_large"),
        (bzipped(), "document_unreadable"),
    ],
    ids=["cut", "empty", "many files", "large file", "bzip2"],  # the bytes have the time in them
)
async def test_a_hostile_zip_file_is_refused(
    content: bytes,
    code: str,
    alice_client: AsyncClient,
    handbook: Collection,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.MAX_DOCUMENT_BYTES = 1500
    monkeypatch.setattr(archives, "MAX_FILES", 3)
    response = await send(alice_client, handbook, "a.zip", content)
    assert response.status_code in {400, 413, 422}
    assert response.json()["error"]["code"] == code
    assert await names() == []
