"""Staff notes on a chat, and saved searches."""

from typing import Any
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.models import SavedSearch, StaffNote
from tests.review.conftest import give
from tests.support.review.conversations import new_conversation
from tests.support.review.reason_for_access import begin, page


async def test_only_staff_see_notes(
    reviewer_client: AsyncClient, lead_client: AsyncClient, alice_client: AsyncClient, alice: User
) -> None:
    chat, _answer = await new_conversation(alice, "Rivers?")
    path = f"/review/{chat.pk}/notes/"
    await begin(reviewer_client)
    await begin(lead_client)
    assert (await reviewer_client.post(path, {"text": "Ask her\r\ntomorrow"})).status_code == 302
    note = await StaffNote.objects.aget()
    assert note.text == "Ask her\ntomorrow"
    assert "Ask her" in await page(lead_client, f"/review/{chat.pk}/")
    assert "Ask her" not in await page(alice_client, f"/chat/{chat.pk}/")
    assert (
        await lead_client.post(f"/review/notes/{note.pk}/deletion/")
    ).status_code == 404  # another's
    refused = await reviewer_client.post(path, {"text": "x" * 4001})
    assert refused.status_code == 422
    assert "x" * 4001 in refused.content.decode()  # what was typed is not lost
    assert (await reviewer_client.post(f"/review/notes/{note.pk}/deletion/")).status_code == 302
    assert await StaffNote.objects.acount() == 0


async def test_a_note_on_a_chat_out_of_scope_is_refused(
    reviewer_client: AsyncClient, bob: User
) -> None:
    chat, _answer = await new_conversation(bob, "Lakes?")
    await begin(reviewer_client)
    assert (
        await reviewer_client.post(f"/review/{chat.pk}/notes/", {"text": "x"})
    ).status_code == 404


async def test_searches_are_saved_and_shared(
    reviewer_client: AsyncClient, lead_client: AsyncClient
) -> None:
    await begin(reviewer_client)
    await begin(lead_client)
    sent = {"name": "Stopped", "query": "state=stopped", "is_shared": "on"}
    assert (await reviewer_client.post("/review/saved-searches/", sent)).status_code == 302
    assert (
        await lead_client.post("/review/saved-searches/", sent | {"name": "For all"})
    ).status_code == 302
    shown = await page(reviewer_client, "/review/")
    assert 'href="?state=stopped"' in shown
    assert "For all" in shown
    assert "Stopped</bdi>" not in await page(lead_client, "/review/")  # reviewers do not share
    shared = await SavedSearch.objects.aget(name="For all")
    assert (
        await reviewer_client.post(f"/review/saved-searches/{shared.pk}/deletion/")
    ).status_code == 404
    assert (
        await lead_client.post(f"/review/saved-searches/{shared.pk}/deletion/")
    ).status_code == 302


async def test_the_longest_possible_search_is_saved_and_a_longer_one_refused(
    lead_client: AsyncClient,
) -> None:
    await begin(lead_client)
    longest = {"q": "水" * 200, "person": "😀" * 254, "model": "😀" * 200, "state": "failed"}
    query = urlencode(longest)
    await lead_client.post("/review/saved-searches/", {"name": "Long", "query": query})
    assert (await SavedSearch.objects.aget()).query == query
    await lead_client.post("/review/saved-searches/", {"name": "Longer", "query": "x" * 10_001})
    assert await SavedSearch.objects.acount() == 1
    assert "too long to save" in await page(lead_client, "/review/")


async def test_a_search_is_shared_as_long_as_its_owner_is_a_lead(
    reviewer_client: AsyncClient, lead_client: AsyncClient, lead: User
) -> None:
    await begin(reviewer_client)
    view = await SavedSearch.objects.acreate(owner=lead, name="For all", is_shared=True)
    assert "For all" in await page(reviewer_client, "/review/")
    await lead.user_permissions.aclear()
    assert "For all" not in await page(reviewer_client, "/review/")
    await sync_to_async(give)(lead, "review")
    await begin(lead_client)
    assert f"/review/saved-searches/{view.pk}/deletion/" in await page(
        lead_client, "/review/"
    )  # theirs still


async def test_with_pseudonyms_a_shared_search_reveals_no_name(
    reviewer_client: AsyncClient, lead_client: AsyncClient, administrator: User, settings: Any
) -> None:
    query = "person=alice%40example.org&state=failed"
    await SavedSearch.objects.acreate(owner=administrator, name="V", query=query, is_shared=True)
    await begin(reviewer_client)
    assert "alice%40example.org" in await page(reviewer_client, "/review/")
    settings.REVIEW_PRIVACY = "pseudonymous"
    shown = await page(reviewer_client, "/review/")
    assert "alice%40" not in shown
    assert 'href="?state=failed"' in shown
