"""The archive of all data has the member's collections, and deleting the account removes them."""

import io
import json
import zipfile

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.generations.deletion import purge
from chat.generations.deletion.purge import remove_all_but_held_chats
from chat.generations.deletion.soft_delete import delete_account
from chat.import_export import import_reader
from chat.knowledge.models import Collection, Document, DocumentContent, DocumentIndex
from tests.support.knowledge.collections import add_document, new_collection
from tests.support.web.exports import body

pytestmark = pytest.mark.usefixtures("stop_server_process")


async def test_collections_are_exported_with_their_files(
    alice: User, bob: User, alice_client: AsyncClient, settings: Settings
) -> None:
    handbook, his = await new_collection(alice), await new_collection(bob, "His")
    await add_document(handbook, alice, "folder/a?b.md", "Open from nine.")
    settings.KEEP_DOCUMENT_FILES = False
    await add_document(handbook, alice, "c.html", "<p>Closed</p>")
    await add_document(his, bob, "his.txt", "His")
    archive = zipfile.ZipFile(
        io.BytesIO(await body(await alice_client.get("/settings/export.zip")))
    )
    found = {name: archive.read(name) for name in archive.namelist() if "collections" in name}
    facts = json.loads(found.pop("collections/001 Handbook.json"))
    assert (facts["kind"], sorted(facts["documents"])) == (
        "collection",
        ["c.html", "folder › a?b.md"],
    )
    texts = {name.partition(" Handbook/")[2][6:]: content for name, content in found.items()}
    assert texts["folder › a b.md"] == b"Open from nine."
    assert texts["c.html.txt"].strip() == b"Closed"
    assert len(texts) == 2
    assert import_reader._conversation(archive.read("collections/001 Handbook.json")) is None


@pytest.mark.parametrize("way", ["purged", "held"])
async def test_collections_go_with_the_account(way: str, alice: User, bob: User) -> None:
    await add_document(await new_collection(alice), alice, "a.txt", "Open from nine.")
    kept = await add_document(await new_collection(bob), alice, "b.txt", "Closed on Sundays.")
    await sync_to_async(remove if way == "purged" else remove_all_but_held_chats)(alice)
    assert await Collection.objects.acount() == 1
    for kind in (Document, DocumentContent, DocumentIndex):
        assert [each.pk async for each in kind.objects.all()] == [kept.pk]


def remove(user: User) -> None:
    delete_account(user)
    for _ in purge.steps():
        pass
