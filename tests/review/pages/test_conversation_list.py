"""The staff's list of conversations: scope, filters and pages."""

import pytest
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Rating
from chat.review.models import StaffNote
from tests.support.review.conversations import new_conversation
from tests.support.review.reason_for_access import begin, page


async def test_the_list_shows_chats_in_scope(
    reviewer_client: AsyncClient, alice: User, bob: User
) -> None:
    await new_conversation(alice, "Where do rivers begin?", state="stopped")
    await new_conversation(bob, "Where do lakes end?")
    shown = await page(await begin(reviewer_client), "/review/")
    assert "Where do rivers begin?" in shown
    assert "Alice" in shown
    assert "Stopped" in shown
    assert "lakes" not in shown


async def test_words_are_found_in_all_members_messages(
    lead_client: AsyncClient, alice: User, bob: User
) -> None:
    chat, answer = await new_conversation(
        alice, "Where do they begin?", "Rivers begin in the hills."
    )
    await new_conversation(bob, "And lakes?", "Some rivers end there.")
    await begin(lead_client)
    shown = await page(lead_client, "/review/", q="rivers")
    assert shown.count("<mark>Rivers</mark>") + shown.count("<mark>rivers</mark>") == 2
    assert f"/review/{chat.pk}/?at={answer.pk}#m{answer.pk}" in shown
    only_hers = await page(lead_client, "/review/", q="rivers", person="alice@example.org")
    assert "And lakes?" not in only_hers
    assert "No results" in await page(lead_client, "/review/", q="glaciers")


FACETS: list[tuple[dict[str, str], bool]] = [
    ({"model": "@cf/meta/llama-3.1-8b-instruct"}, False),
    ({"model": "Test/mod"}, True),
    ({"state": "stopped"}, True),
    ({"state": "failed"}, False),
    ({"state": "running"}, False),
    ({"rating": "bad"}, True),
    ({"rating": "good"}, False),
    ({"cost": "0.5"}, True),
    ({"cost": "0.51"}, False),
    ({"since": "2020-01-01"}, True),
    ({"until": "2020-01-01"}, False),
    ({"person": "ALICE"}, True),
    ({"person": "bob"}, False),
    ({"noted": "on"}, True),
    ({"q": "rivers", "state": "stopped"}, True),
    ({"q": "rivers", "state": "failed"}, False),
]


@pytest.mark.parametrize(("facets", "is_there"), FACETS, ids=str)
async def test_filters_narrow_the_list(
    reviewer_client: AsyncClient, alice: User, facets: dict[str, str], is_there: bool
) -> None:
    chat, answer = await new_conversation(alice, "Rivers?", state="stopped", cost_usd=0.5)
    await Rating.objects.acreate(message=answer, user=alice, value=-1)
    await StaffNote.objects.acreate(conversation=chat, text="Refresh")
    shown = await page(await begin(reviewer_client), "/review/", **facets)
    assert (f"/review/{chat.pk}/" in shown) == is_there


@pytest.mark.parametrize(
    "facets",
    [
        {"since": "x"},
        {"since": "0001-01-01"},
        {"until": "9999-12-31"},
        {"cost": "-1"},
        {"cost": "nan"},
        {"group": "99"},
        {"q": "x" * 201},
    ],
    ids=str,
)
async def test_an_invalid_filter_is_refused_with_the_reason(
    reviewer_client: AsyncClient, alice: User, facets: dict[str, str]
) -> None:
    await new_conversation(alice, "Rivers?")
    response = await (await begin(reviewer_client)).get("/review/", facets)
    assert response.status_code == 422
    assert "Rivers?" not in response.content.decode()


@pytest.mark.parametrize("place", ["x", "1,2", "9" * 30])
async def test_an_invalid_page_is_refused(reviewer_client: AsyncClient, place: str) -> None:
    await begin(reviewer_client)
    for query in ({"from": place}, {"from": place, "q": "rivers"}):
        assert (await reviewer_client.get("/review/", query)).status_code == 400


async def test_pages_follow_one_another(lead_client: AsyncClient, alice: User) -> None:
    made = [(await new_conversation(alice, f"River {number}"))[0] for number in range(53)]
    await begin(lead_client)
    first = await lead_client.get("/review/")
    assert first.content.decode().count("data-step") == 50
    second = await page(lead_client, "/review/", **{"from": first.context["next"]})
    assert second.count("data-step") == 3
    assert f"/review/{made[0].pk}/" in second
    hits = await lead_client.get("/review/", {"q": "river"})
    assert hits.content.decode().count("data-step") == 20
    more = await page(lead_client, "/review/", q="river", **{"from": hits.context["next"]})
    assert more.count("data-step") == 20


async def test_only_groups_in_scope_can_be_chosen(
    reviewer_client: AsyncClient, pupils: Group, alice: User
) -> None:
    other = await Group.objects.acreate(name="Choir")
    await new_conversation(alice, "Rivers?")
    shown = await page(await begin(reviewer_client), "/review/", group=pupils.pk)
    assert "Pupils" in shown
    assert "Choir" not in shown
    assert "Rivers?" in shown
    assert (await reviewer_client.get("/review/", {"group": other.pk})).status_code == 422
