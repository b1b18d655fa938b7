"""Who leaves a team leaves nothing behind: no visitor waits for them, and their name is gone."""

import uuid
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Takeover
from chat.generations.deletion.soft_delete import delete_account
from chat.inbox.models import HandledChat
from chat.widget_sites import profiles, team, visitors
from chat.widget_sites.models import SiteMember, TeamProfile, WidgetSite
from tests.review.conftest import say
from tests.support.widget.visitor_client import Visiting, make_site

Inbox = Callable[..., str]


async def remove(client: AsyncClient, shop: WidgetSite) -> None:
    member = await SiteMember.objects.aget()
    path = f"/sites/{shop.key}/team/{member.pk}/removal/"
    assert (await client.post(path)).status_code == 302


async def test_the_chats_that_they_had_taken_over_are_free(
    alice_client: AsyncClient, agent_client: AsyncClient, vera: Visiting, inbox: Inbox,
    chat: str, shop: WidgetSite,
) -> None:  # fmt: skip
    await agent_client.post(inbox(chat) + "takeover/")
    await remove(alice_client, shop)
    person: Any = (await vera.get(f"conversations/{chat}/person")).json()
    assert (person["person"], person["ended"]) == (False, "left")
    said = {"text": "Still here", "key": uuid.uuid4().hex}
    assert (await agent_client.post(inbox(chat) + "turns/", said)).status_code == 404
    await alice_client.post(inbox(chat) + "takeover/")
    assert await Takeover.objects.filter(ended_at=None, person=shop.owner_id).aexists()


async def test_takeovers_elsewhere_go_on(
    agent_client: AsyncClient, alice_client: AsyncClient, shop: WidgetSite, inbox: Inbox, chat: str
) -> None:
    other = await WidgetSite.objects.acreate(owner_id=shop.owner_id, name="Other")
    await agent_client.post(inbox(chat) + "takeover/")
    agnes = (await shop.team.aget()).user_id
    await SiteMember.objects.all().adelete()
    await SiteMember.objects.acreate(site=other, user_id=agnes)
    await remove(alice_client, other)
    assert await Takeover.objects.filter(ended_at=None, person=agnes).aexists()


async def test_their_name_for_visitors_is_removed(
    agent_client: AsyncClient, shop: WidgetSite
) -> None:
    agnes = (await shop.team.aget()).user_id
    await sync_to_async(profiles.set_profile)(shop, agnes, "Agnes")
    await remove(agent_client, shop)
    assert not await TeamProfile.objects.aexists()


def test_who_closes_the_account_has_no_chats_and_takeovers_left(bob: User, alice: User) -> None:
    shop = make_site(bob)
    team.add_member(shop, alice, SiteMember.Role.AGENT)
    chat = say(visitors.make(shop).user, "Where?", "There")
    HandledChat.objects.create(conversation=chat, assignee=alice.pk)
    Takeover.objects.create(conversation=chat, person=alice.pk)
    delete_account(alice)
    assert not SiteMember.objects.exists()
    assert HandledChat.objects.get().assignee is None
    assert Takeover.objects.get().ended_by == "left"


def test_staff_who_close_the_account_are_in_no_takeover(bob: User, rita: User) -> None:
    chat = say(visitors.make(make_site(bob)).user, "Where?", "There")
    Takeover.objects.create(conversation=chat, person=rita.pk)
    delete_account(rita)
    assert Takeover.objects.get().ended_at is not None
