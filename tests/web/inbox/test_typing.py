"""A visitor and the person who answers see that the other is typing, and not what."""

from collections.abc import Callable

from django.core.cache import cache
from django.test import AsyncClient

from tests.support.widget.visitor_client import Visiting

Inbox = Callable[..., str]


async def visitor_sees(vera: Visiting, chat: str, query: str = "") -> bool:
    return bool((await vera.get(f"conversations/{chat}/person{query}")).json()["is_typing"])


async def agent_sees(client: AsyncClient, inbox: Inbox, chat: str, query: str = "") -> bool:
    news = (await client.get(f"{inbox(chat)}updates/{query}")).json()
    return bool(news["is_visitor_typing"])


async def test_each_side_sees_the_other_typing_until_it_stops(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await agent_client.post(inbox(chat, "takeover"))
    assert not await agent_sees(agent_client, inbox, chat, "?typing=1")
    assert await visitor_sees(vera, chat, "?typing=1")
    assert await agent_sees(agent_client, inbox, chat, "?typing=0")
    assert not await visitor_sees(vera, chat, "?typing=0")
    assert not await agent_sees(agent_client, inbox, chat)


async def test_only_who_answers_is_shown_as_typing(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await agent_sees(alice_client, inbox, chat, "?typing=1")
    await agent_client.post(inbox(chat, "takeover"))
    await agent_sees(alice_client, inbox, chat, "?typing=1")
    assert not await visitor_sees(vera, chat)


async def test_nothing_is_kept_of_a_visitor_who_types_to_the_ai(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await visitor_sees(vera, chat, "?typing=1")
    assert await cache.aget(f"typing:{chat}:visitor") is None
    assert not await agent_sees(agent_client, inbox, chat)
