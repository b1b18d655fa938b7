"""Members keep collections of documents; staff share the site's with groups or everybody."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.indexing import documents
from chat.knowledge.models import Collection, Document
from chat.personas.models import Persona
from chat.projects.models import Project
from chat.web.collections import presenters
from chat.widget_sites.models import WidgetSite
from tests.support.knowledge.collections import add_document, new_collection

pytestmark = pytest.mark.usefixtures("stop_server_process")


async def page(client: AsyncClient, path: str) -> str:
    response = await client.get(path)
    assert response.status_code == 200, path
    return str(response.content.decode())


async def test_a_member_creates_changes_and_deletes_a_collection(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    made = await alice_client.post("/collections/new/", {"name": "Handbook", "description": "How"})
    handbook = await Collection.objects.aget()
    assert (made["Location"], handbook.owner_id) == (f"/collections/{handbook.pk}/", alice.pk)
    await alice_client.post(f"{made['Location']}settings/", {"name": "Rules", "description": ""})
    assert "Rules" in await page(alice_client, "/collections/")
    assert "Rules" not in await page(bob_client, "/collections/")
    await add_document(handbook, alice, "a.txt", "Open from nine.")
    assert "1 document." in await page(alice_client, f"{made['Location']}deletion/")
    await alice_client.post(f"{made['Location']}deletion/")
    assert not await Collection.objects.aexists()
    assert not await Document.objects.aexists()


async def test_staff_share_a_collection_of_the_site(
    rita: User, bob: User, rita_client: AsyncClient, bob_client: AsyncClient
) -> None:
    choir = await Group.objects.acreate(name="Choir")
    form = {"name": "Songs", "sharing": "groups", "groups": str(choir.pk)}
    place = (await rita_client.post("/collections/new/", form))["Location"]
    songs = await Collection.objects.aget()
    document = await add_document(songs, rita, "song.txt", "Row, row, row your boat.")
    assert (await bob_client.get(place)).status_code == 404
    await choir.user_set.aadd(bob)
    shown = await page(bob_client, place)
    assert "song.txt" in shown
    assert "add-documents" not in shown
    assert "Remove…" not in shown
    assert "your boat" in await page(bob_client, f"/collections/documents/{document.pk}/")
    for path in (f"{place}settings/", f"{place}deletion/", f"{place}failed/"):
        assert (await bob_client.post(path, {"name": "Mine"})).status_code == 404
    assert (await rita_client.get(f"{place}settings/")).status_code == 200


async def test_documents_come_in_pages_with_what_became_of_them(
    alice: User,
    alice_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    no_network_jobs: None,
) -> None:
    monkeypatch.setattr(presenters, "DOCUMENTS_ON_A_PAGE", 2)
    handbook = await new_collection(alice)
    place = f"/collections/{handbook.pk}/"
    await add_document(handbook, alice, "a.txt", "Open from nine.")
    await sync_to_async(documents.add)(handbook, alice, "b.bin", b"\0\1\2\3" * 99)
    await add_document(handbook, alice, "c.txt", "Closed on Sundays.")
    await sync_to_async(documents.add)(handbook, alice, "d.txt", b"Later")
    first, second = await page(alice_client, place), await page(alice_client, f"{place}?page=2")
    assert ("a.txt" in first, "c.txt" in first, "c.txt" in second) == (True, False, True)
    assert "1 passage" in first
    assert "Files of this kind can&#x27;t be read here." in first
    assert 'data-pending="1"' in first
    failed = await page(alice_client, f"{place}documents/?state=failed")
    assert ("b.bin" in failed, "a.txt" in failed) == (True, False)
    await alice_client.post(f"{place}failed/")
    assert {each.name async for each in Document.objects.all()} == {"a.txt", "c.txt", "d.txt"}


async def test_a_failed_document_is_tried_again(alice: User, alice_client: AsyncClient) -> None:
    handbook = await new_collection(alice)
    document = await add_document(handbook, alice, "a.txt", "Open from nine.")
    await Document.objects.aupdate(state="failed", problem="provider")
    await alice_client.post(f"/collections/documents/{document.pk}/retry/")
    await document.arefresh_from_db()
    assert (document.state, document.problem) == ("indexing", "")


async def test_a_search_shows_passages_with_a_link_to_each(
    alice: User, alice_client: AsyncClient
) -> None:
    handbook = await new_collection(alice)
    text = "# Opening hours\n\nOpen from nine.\n\n# Trips\n\nTrips are paid by the company."
    document = await add_document(handbook, alice, "rules.md", text)
    shown = await page(alice_client, f"/collections/{handbook.pk}/?q=Who+pays+for+trips")
    start = text.index("# Trips")
    assert f"/collections/documents/{document.pk}/?passage={start}-{len(text)}#passage" in shown
    assert "Trips are paid by the company." in shown
    assert "Searched by words only" not in shown


CHOOSERS: dict[str, tuple[type[Any], str, dict[str, str]]] = {
    "persona": (Persona, "/personas/new/", {"name": "Guide"}),
    "project": (Project, "/projects/new/", {"name": "Move"}),
    "website": (WidgetSite, "/sites/new/", {"name": "Shop"}),
}


@pytest.mark.parametrize("chooser", CHOOSERS)
async def test_collections_are_chosen_where_they_are_used(
    chooser: str, alice: User, bob: User, alice_client: AsyncClient
) -> None:
    kind, place, form = CHOOSERS[chooser]
    assert "Collections</legend>" not in await page(alice_client, place)
    hers, his = await new_collection(alice, "Hers"), await new_collection(bob, "His")
    assert "His" not in await page(alice_client, place)
    refused = await alice_client.post(place, form | {"collections": str(his.pk)})
    assert refused.status_code == 422
    made = await alice_client.post(place, form | {"collections": str(hers.pk)})
    assert made.status_code == 302
    one = await kind.objects.aget()
    assert [each.pk async for each in one.collections.all()] == [hers.pk]
    assert form["name"] in await page(alice_client, f"/collections/{hers.pk}/")
    # What somebody else has chosen stays.
    await one.collections.aadd(his)
    path = {"persona": f"/personas/{one.pk}/", "project": f"/projects/{one.pk}/settings/"}
    await alice_client.post(path.get(chooser, f"/sites/{getattr(one, 'key', '')}/settings/"), form)
    assert [each.pk async for each in one.collections.all()] == [his.pk]
