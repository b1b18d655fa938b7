"""Owners of a site manage its team; agents only answer."""

from django.test import AsyncClient

from chat.accounts.models import User
from chat.personas.models import Persona
from chat.widget_sites.models import SiteMember, WidgetSite

HTML = {"Accept": "text/html"}


async def test_an_owner_removes_members(
    alice_client: AsyncClient, bob_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    place = f"/sites/{shop.key}/team/"
    member = await SiteMember.objects.acreate(site=shop, user=bob)
    page = (await bob_client.get(place)).content.decode()
    assert "Bob" in page
    assert "Invite a person" not in page
    asked = {"email": "carol@example.org", "role": "agent"}
    assert (await bob_client.post(place, asked)).status_code == 404
    assert (await alice_client.post(f"{place}{member.pk}/removal/")).status_code == 302
    assert (await bob_client.get(place)).status_code == 404


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
