"""One member's searches do not delay others or other work."""

import asyncio
import threading
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.search import time_limit
from chat.database import threads
from chat.web.search import views as view

HTML = {"Accept": "text/html"}


@pytest.fixture
def river(alice: User) -> None:
    chat = Conversation.objects.create(owner=alice, title="Water")
    chat.messages.create(role="user", text="river")


async def test_programs_get_an_error_if_a_search_takes_too_long(
    river: None, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0)
    response = await alice_client.get("/chat/search/", {"q": "river"})
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["code"], error["retryable"]) == ("search_too_long", False)
    assert error["message"] == "The search took too long. Use fewer or more specific words."


@pytest.mark.parametrize("order", ["newest", "best"])
async def test_people_see_a_message_and_their_query_if_a_search_takes_too_long(
    river: None, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0)
    response = await alice_client.get("/chat/search/", {"q": "river", "order": order}, headers=HTML)
    text = response.content.decode()
    assert response.status_code == 422
    assert "The search took too long. Use fewer or more specific words." in text
    assert 'value="river"' in text
    assert "No results" not in text


async def test_result_pages_are_rate_limited(
    river: None, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    asked = {"q": "river", "order": "best"}
    for _ in range(view.PAGES_PER_MINUTE):
        assert (await alice_client.get("/chat/search/", asked, headers=HTML)).status_code == 200
    refused = await alice_client.get("/chat/search/", asked, headers=HTML)
    assert refused.status_code == 429
    assert "Too many attempts" in refused.content.decode()
    assert 'value="river"' in refused.content.decode()
    assert (await alice_client.get("/chat/search/", headers=HTML)).status_code == 200
    assert (await bob_client.get("/chat/search/", asked, headers=HTML)).status_code == 200


async def test_the_palette_is_rate_limited(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "PREVIEWS_PER_MINUTE", 2)
    answers = [(await alice_client.get("/chat/search/", {"q": "a"})).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


@pytest.mark.parametrize("headers", [{}, HTML])
async def test_other_requests_are_served_during_a_search(
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    searched_on: set[str] = set()

    def take_long(*_: Any) -> list[Any]:
        searched_on.add(threading.current_thread().name)
        begun.set()
        goes_on.wait(60)
        return []

    for module in ("chat.web.search.presenters", "chat.web.search.views"):
        monkeypatch.setattr(f"{module}.find_by_title", take_long)
    searches = [
        asyncio.create_task(client.get("/chat/search/", {"q": "river"}, headers=headers))
        for client in (alice_client, bob_client, alice_client)
    ]
    await asyncio.to_thread(begun.wait, 60)
    names = [await threads.readers.run(lambda: threading.current_thread().name) for _ in range(2)]
    assert not any(search.done() for search in searches)
    goes_on.set()
    assert [each.status_code for each in await asyncio.gather(*searches)] == [200] * 3
    assert len(searched_on) == 1
    assert searched_on.isdisjoint(names)
    assert searched_on.pop().startswith("runnel-search")


async def test_each_member_has_one_search_at_a_time_and_none_after_disconnecting(
    stop_server_process: None,
) -> None:
    goes_on = threading.Event()
    done: list[str] = []

    def work(name: str) -> None:
        goes_on.wait(60)
        done.append(name)

    tasks = {
        name: asyncio.create_task(view._in_turn(user_id, work, name))
        for name, user_id in (("a1", 1), ("a2", 1), ("a3", 1), ("b1", 2))
    }
    await asyncio.sleep(0)  # now they stand in their rows
    tasks["a2"].cancel()
    goes_on.set()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert done == ["a1", "b1", "a3"]
