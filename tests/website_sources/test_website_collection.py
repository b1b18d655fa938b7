"""What a website says about itself answers its visitors, and is in no list of collections."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.indexing import documents
from chat.knowledge.access import website_collection
from chat.knowledge.models import Document
from chat.widget_sites.models import WidgetSite
from tests.support.generations.send import DONE
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.knowledge.collections import QUESTION, TRIPS, index_documents
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.widget.visitor_client import Visiting, make_site

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

ANSWER = b'data: {"response":"By sales [1]."}\n\n'
ADDRESS = "https://blog.example/travel"


@pytest.fixture
async def page(alice: User) -> Document:
    """Return a page of a website of alice."""
    site = await sync_to_async(make_site)(alice)
    collection = await sync_to_async(website_collection)(site)
    text = f'<a id="who-pays"></a>\n# Costs\n{TRIPS}'
    added = await sync_to_async(documents.add)(collection, alice, "Travel", text.encode(), ADDRESS)
    await index_documents()
    return added


async def test_a_citation_of_a_page_links_to_its_words_and_their_heading(page: Document) -> None:
    vera = Visiting(await WidgetSite.objects.aget())
    await vera.begin()
    async with site_with(always(stream_of(ANSWER, DONE))):
        stream = await read_stream(await vera.send(text=QUESTION))
    (source,) = stream.key("sources")
    assert (source["number"], source["name"]) == (1, "Travel")
    assert source["address"].startswith(f"{ADDRESS}#who-pays:~:text=Trips")


async def test_its_pages_are_not_among_its_owners_collections(
    page: Document, alice_client: AsyncClient
) -> None:
    listed = await alice_client.get("/collections/")
    assert str(page.collection_id) not in listed.content.decode()
    for path in (f"/collections/{page.collection_id}/", f"/collections/documents/{page.pk}/"):
        assert (await alice_client.get(path)).status_code == 404
    deletion = f"/collections/documents/{page.pk}/deletion/"
    assert (await alice_client.post(deletion, headers=SAME_ORIGIN)).status_code == 404


async def test_a_page_replaces_only_the_same_page(page: Document, alice: User) -> None:
    for address in (ADDRESS, f"{ADDRESS}/2"):
        await sync_to_async(documents.add)(
            page.collection, alice, "Travel", b"Lunch costs five euros.", address
        )
    await index_documents()
    kept = page.collection.documents.order_by("address").values_list("address", flat=True)
    assert [each async for each in kept] == [ADDRESS, f"{ADDRESS}/2"]
