"""A site's team learns the names of its own people only, with few queries."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, Takeover
from chat.review.models import StaffNote
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import Visiting

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}


async def say(chat: str, person: int, text: str = "Hello") -> None:
    last = await Message.objects.filter(conversation=chat).alatest("pk")
    await Message.objects.acreate(
        conversation_id=chat, parent=last, role="assistant", author=person, text=text
    )


@pytest.mark.parametrize("path", ["", "updates/", "list"])
async def test_the_team_does_not_learn_who_of_the_staff_answered(
    agent_client: AsyncClient, rita: User, inbox: Inbox, chat: str, path: str
) -> None:
    await say(chat, rita.pk)
    await Takeover.objects.acreate(
        conversation_id=chat, person=rita.pk, rating=1, ended_at=timezone.now()
    )
    await Takeover.objects.acreate(conversation_id=chat, person=rita.pk)
    place = inbox() if path == "list" else inbox(chat) + path
    page = (await agent_client.get(place, headers=HTML)).content.decode()
    assert "Staff member" in page
    assert rita.email not in page


async def test_the_team_learns_who_of_it_answered(
    alice_client: AsyncClient, shop: WidgetSite, agent_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await say(chat, (await shop.team.aget()).user_id)
    page = (await alice_client.get(inbox(chat), headers=HTML)).content.decode()
    assert "A person: <bdi>Agnes</bdi>" in page


@pytest.mark.parametrize("more", ["chats", "notes", "ratings", "messages"])
async def test_more_rows_take_no_more_queries(
    agent_client: AsyncClient, vera: Visiting, shop: WidgetSite, inbox: Inbox, chat: str, more: str
) -> None:
    agnes = (await shop.team.aget()).user_id
    path = inbox() + "?show=mine" if more == "chats" else inbox(chat)
    counts = []
    for _ in range(5):  # a chat that isn't short may have a summary, which is one more
        await _add(more, chat, agnes)
        counts.append(await sync_to_async(_queries)(agent_client, path))
    assert counts[-2] == counts[-1]


async def _add(what: str, chat: str, agnes: int) -> None:
    owner = (await Conversation.objects.aget(pk=chat)).owner_id
    match what:
        case "chats":
            held = await Conversation.objects.acreate(owner_id=owner, title="Held")
            await Takeover.objects.acreate(conversation=held, person=agnes)
        case "notes":
            await StaffNote.objects.acreate(
                conversation_id=chat, author_id=agnes, text="Blue", is_of_team=True
            )
        case "ratings":
            await Takeover.objects.acreate(
                conversation_id=chat, person=agnes, rating=1, ended_at=timezone.now()
            )
        case "messages":
            await say(chat, agnes)


def _queries(signed_in: AsyncClient, path: str) -> int:
    client = Client()
    client.cookies = signed_in.cookies
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path, headers=HTML).status_code == 200
    return len(queries)
