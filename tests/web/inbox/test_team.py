"""Owners of a site choose its team; agents only answer."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.personas.models import Persona
from chat.web.inbox import team_views
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite

HTML = {"Accept": "text/html"}


async def test_an_owner_adds_and_removes_members(
    alice_client: AsyncClient, bob_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    place = f"/sites/{shop.key}/team/"
    asked = {"email": "Bob@Example.org ", "role": "agent"}
    assert (await alice_client.post(place, asked)).status_code == 302
    again = await alice_client.post(place, asked)
    assert again.status_code == 422
    assert "already in the team" in again.content.decode()
    page = (await bob_client.get(place)).content.decode()
    assert "Bob" in page
    assert "Add a person" not in page
    assert (await bob_client.post(place, asked)).status_code == 404
    assert shop.name in (await bob_client.get("/sites/")).content.decode()
    member = await SiteMember.objects.aget()
    assert (await alice_client.post(f"{place}{member.pk}/removal/")).status_code == 302
    assert (await bob_client.get(place)).status_code == 404


async def test_only_people_with_an_account_are_added(
    alice_client: AsyncClient, alice: User, shop: WidgetSite
) -> None:
    for email, words in (
        ("nobody@example.org", "no account with this email address"),
        (alice.email, "already in the team"),
        ("", "This field is required"),
    ):
        refused = await alice_client.post(
            f"/sites/{shop.key}/team/", {"email": email, "role": "agent"}
        )
        assert refused.status_code == 422
        text = refused.content.decode().replace("&#x27;", "'")
        assert words in text
        assert f'value="{email}"' in text or not email


async def test_an_agent_may_leave_but_remove_nobody(
    agent_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    other = await SiteMember.objects.acreate(site=shop, user=bob)
    own = await SiteMember.objects.aget(user__email="agnes@example.org")
    place = f"/sites/{shop.key}/team"
    assert (await agent_client.post(f"{place}/{other.pk}/removal/")).status_code == 404
    assert (await agent_client.post(f"{place}/{own.pk}/removal/")).status_code == 302
    assert await SiteMember.objects.aget() == other


async def test_a_second_owner_changes_the_site_with_the_payers_personas(
    bob_client: AsyncClient, alice: User, bob: User, shop: WidgetSite
) -> None:
    await SiteMember.objects.acreate(site=shop, user=bob, role=SiteMember.Role.OWNER)
    hers = await Persona.objects.acreate(owner=alice, name="Clerk")
    his = await Persona.objects.acreate(owner=bob, name="Bosun")
    page = (await bob_client.get(f"/sites/{shop.key}/settings/")).content.decode()
    assert str(hers.pk) in page
    assert str(his.pk) not in page
    assert (await bob_client.get("/sites/")).content.decode().count("Edit") == 1


async def test_addresses_cannot_be_tried_at_will(
    shop: WidgetSite, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_views, "ADDITIONS_PER_HOUR", 2)
    asked = {"email": "nobody@example.org", "role": "agent"}
    place = f"/sites/{shop.key}/team/"
    statuses = [(await alice_client.post(place, asked)).status_code for _ in range(3)]
    assert statuses == [422, 422, 429]


async def test_a_team_has_a_limit(shop: WidgetSite, alice_client: AsyncClient, bob: User) -> None:
    people = await User.objects.abulk_create(
        [User(email=f"one{number}@example.org") for number in range(team.MAX_MEMBERS)]
    )
    await SiteMember.objects.abulk_create([SiteMember(site=shop, user=each) for each in people])
    refused = await alice_client.post(
        f"/sites/{shop.key}/team/", {"email": bob.email, "role": "agent"}
    )
    assert refused.status_code == 422
    assert "reached its limit" in refused.content.decode()
