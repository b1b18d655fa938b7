"""A document's page shows the text around a passage; the file itself is only downloaded."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.indexing import documents
from chat.knowledge.models import Collection
from tests.support.documents.samples import pdf
from tests.support.knowledge.collections import add_document, index_documents, new_collection
from tests.support.web.exports import body

pytestmark = pytest.mark.usefixtures("stop_server_process")
TEXT = "Open from nine.\n<b>Trips</b> are paid.\nClosed on Sundays."


@pytest.fixture
async def handbook(alice: User) -> Collection:
    return await new_collection(alice)


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("?passage=16-38", '<mark id="passage">&lt;b&gt;Trips&lt;/b&gt; are paid.'),
        ("?passage=9000-9010", ""),
        ("?passage=30-20", ""),
        ("?passage=x", ""),
        ("?from=99999", ""),
        ("", ""),
    ],
)
async def test_the_passage_is_marked(
    query: str, marked: str, alice: User, handbook: Collection, alice_client: AsyncClient
) -> None:
    document = await add_document(handbook, alice, "hours.txt", TEXT)
    response = await alice_client.get(f"/collections/documents/{document.pk}/{query}")
    shown = response.content.decode()
    assert response.status_code == 200
    assert marked in shown
    assert ("<mark" in shown) == bool(marked)
    assert "Open from nine." in shown
    assert "<b>Trips" not in shown


async def test_a_page_of_a_pdf_is_shown_by_itself(
    alice: User, handbook: Collection, alice_client: AsyncClient
) -> None:
    document = await sync_to_async(documents.add)(
        handbook, alice, "a.pdf", pdf("One", "Two", "Six")
    )
    await index_documents()
    place = f"/collections/documents/{document.pk}/"
    text = "[Page 1]\nOne\n\n[Page 2]\nTwo\n\n[Page 3]\nSix\n"
    start = text.index("Two")
    shown = (await alice_client.get(f"{place}?passage={start}-{start + 3}")).content.decode()
    assert "Page 2" in shown
    assert '<mark id="passage">Two</mark>' in shown
    assert "Six" not in shown
    assert f"?from={text.index('One')}" in shown
    following = text.index("Six")
    assert f"?from={following}" in shown
    assert "Six" in (await alice_client.get(f"{place}?from={following}")).content.decode()


async def test_the_page_of_a_passage_is_drawn(
    alice: User, handbook: Collection, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    document = await sync_to_async(documents.add)(handbook, alice, "a.pdf", pdf("One", "Two"))
    await index_documents()
    place = f"/collections/documents/{document.pk}/"
    picture = f"{place}page/?passage=23-26"
    assert picture in (await alice_client.get(f"{place}?passage=23-26")).content.decode()
    drawn = await alice_client.get(picture)
    assert drawn["Content-Type"] == "image/png"
    assert drawn.content.startswith(b"\x89PNG")
    assert drawn.content != (await alice_client.get(f"{place}page/?from=23")).content
    assert (await bob_client.get(picture)).status_code == 404
    text = await add_document(handbook, alice, "b.txt", "Words")
    assert (await alice_client.get(f"/collections/documents/{text.pk}/page/")).status_code == 404


@pytest.mark.parametrize("extension", ["html", "md", "docx"])
async def test_the_file_is_saved_and_never_shown(
    extension: str,
    alice: User,
    handbook: Collection,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    settings: Settings,
) -> None:
    html = "<script>alert(1)</script> Open"
    document = await add_document(handbook, alice, f"folder/page.{extension}", html)
    place = f"/collections/documents/{document.pk}/file/"
    response = await alice_client.get(place)
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == f'attachment; filename="page.{extension}"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert await body(response) == html.encode()
    assert (await bob_client.get(place)).status_code == 404
    settings.KEEP_DOCUMENT_FILES = False
    text_only = await add_document(handbook, alice, "b.txt", "Words")
    missing = await alice_client.get(f"/collections/documents/{text_only.pk}/file/")
    assert missing.status_code == 404
