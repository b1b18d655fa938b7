"""Results of the staff's search: answers or chats, by which time, in which order, and their totals."""

from datetime import UTC, datetime

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.errors import SearchTooLong
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.search import time_limit
from chat.generations.models import Generation
from chat.review.models import AccessLogEntry
from tests.review.conftest import add_answer, say
from tests.support.review.reason_for_access import begin, page

MAY = datetime(2026, 5, 5, 12, tzinfo=UTC)


@pytest.fixture
def rivers(alice: User) -> Conversation:
    """Return a chat of May with two answers: a cheap one, and a dear one that failed."""
    chat = say(alice, "Of rivers", "Springs feed them.", cost_usd=0.25, total_tokens=700)
    first = chat.messages.get(role=Message.Role.ASSISTANT)
    asked = chat.messages.create(parent=first, role=Message.Role.USER, text="And lakes?")
    add_answer(asked, "Basins.", cost_usd=0.5, total_tokens=20, state="failed", model="@cf/test/b")
    Message.objects.filter(conversation=chat).update(created_at=MAY)
    Generation.objects.filter(message__conversation=chat).update(started_at=MAY)
    Conversation.objects.filter(pk=chat.pk).update(created_at=MAY)  # used again today
    return chat


@pytest.mark.parametrize(
    ("facets", "found"),
    [
        ({}, ["Springs", "Basins"]),
        ({"state": "failed"}, ["Basins"]),
        ({"model": "test/MODEL"}, ["Springs"]),
        ({"cost": "0.4"}, ["Basins"]),
        ({"rating": "bad"}, ["Springs"]),
        ({"rating": "good"}, []),
        ({"q": "basins"}, ["Basins"]),
        ({"q": "basins", "state": "complete"}, []),
        ({"q": "lakes"}, []),
        ({"time": "sent", "since": "2026-05-05", "until": "2026-05-05"}, ["Springs", "Basins"]),
        ({"time": "sent", "since": "2026-05-06"}, []),
        ({"time": "started", "until": "2026-05-05"}, ["Springs", "Basins"]),
        ({"person": "bob"}, []),
    ],
    ids=str,
)
async def test_answers_are_found_by_what_they_are(
    lead_client: AsyncClient,
    alice: User,
    rivers: Conversation,
    facets: dict[str, str],
    found: list[str],
) -> None:
    first = await rivers.messages.filter(role=Message.Role.ASSISTANT).afirst()
    await Rating.objects.acreate(message=first, user=alice, value=-1)
    shown = await page(await begin(lead_client), "/review/", show="answers", **facets)
    shown = shown.replace("<mark>", "").replace("</mark>", "")
    assert [each for each in ("Springs", "Basins") if each in shown] == found
    assert ("No answers match" in shown or "No results" in shown) == (not found)


@pytest.mark.parametrize(
    ("dates", "is_there"),
    [
        ({"until": "2026-05-05"}, False),
        ({"until": "2026-05-05", "time": "started"}, True),
        ({"since": "2026-05-06", "time": "started"}, False),
        ({"since": "2026-05-05", "until": "2026-05-05", "time": "sent"}, True),
        ({"since": "2026-05-06", "time": "sent"}, False),
        ({"since": "2026-05-06", "time": "sent", "q": "rivers"}, False),
        ({"until": "2026-05-05", "time": "sent", "q": "rivers"}, True),
    ],
    ids=str,
)
async def test_dates_are_about_the_time_that_was_chosen(
    lead_client: AsyncClient, rivers: Conversation, dates: dict[str, str], is_there: bool
) -> None:
    shown = await page(await begin(lead_client), "/review/", **dates)
    assert (f"/review/{rivers.pk}/" in shown) == is_there


async def test_results_are_sorted_and_added_up(
    lead_client: AsyncClient, alice: User, rivers: Conversation
) -> None:
    await sync_to_async(say)(alice, "Of hills", "High.", cost_usd=0.1, total_tokens=9000)
    client = await begin(lead_client)
    for show, orders in {
        "": {"": "hr", "oldest": "rh", "cost": "rh", "tokens": "hr"},
        "answers": {"": "hr", "oldest": "rh", "cost": "rh", "tokens": "hr"},
    }.items():
        for sort, order in orders.items():
            shown = await page(client, "/review/", show=show, sort=sort)
            hills = shown.index("Of hills") < shown.index("Of rivers")
            assert hills == (order == "hr"), (show, sort)
            assert "9,720 tokens" in shown
            assert "$0.8500" in shown
            assert ("3 answers" if show else "2 chats") in shown


@pytest.mark.parametrize("show", ["", "answers"])
@pytest.mark.parametrize("sort", ["", "oldest", "cost", "tokens"])
async def test_pages_of_each_order_show_every_result_once(
    lead_client: AsyncClient, alice: User, show: str, sort: str
) -> None:
    for number in range(52):
        await sync_to_async(say)(
            alice, f"River {number}", "W", cost_usd=number % 3 or None, total_tokens=number % 5
        )
    client, seen, place = await begin(lead_client), set(), ""
    for _page in range(2):
        response = await client.get("/review/", {"show": show, "sort": sort, "from": place})
        rows = response.context["answers" if show else "rows"]
        seen |= {each["chat" if show else "conversation"].pk for each in rows}
        place = response.context["next"]
    assert (len(seen), place) == (52, "")


@pytest.mark.parametrize("place", ["nx,1", "ninf,00000000-0000-0000-0000-000000000001"])
async def test_an_invalid_place_is_refused(lead_client: AsyncClient, place: str) -> None:
    client = await begin(lead_client)
    for show in ("", "answers"):
        response = await client.get("/review/", {"show": show, "sort": "cost", "from": place})
        assert response.status_code == 400


async def test_a_place_of_another_order_is_refused(lead_client: AsyncClient) -> None:
    place = "2026-05-05T00:00:00+00:00,00000000-0000-0000-0000-000000000001"
    response = await (await begin(lead_client)).get("/review/", {"sort": "cost", "from": place})
    assert response.status_code == 400


async def test_a_search_that_takes_too_long_is_refused(
    lead_client: AsyncClient, rivers: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await begin(lead_client)
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0)
    refused = await client.get("/review/", {"show": "answers"})
    assert refused.status_code == SearchTooLong.status
    assert not await AccessLogEntry.objects.aexists()


async def test_each_answer_shown_is_recorded(
    lead_client: AsyncClient, rivers: Conversation
) -> None:
    await page(await begin(lead_client), "/review/", show="answers")
    answers = rivers.messages.filter(role=Message.Role.ASSISTANT)
    seen = AccessLogEntry.objects.filter(kind=AccessLogEntry.Kind.FOUND)
    assert {each.message async for each in seen} == {each.pk async for each in answers}
