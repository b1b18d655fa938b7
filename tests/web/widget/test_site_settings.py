"""A site owner's settings apply to visitors from the next message."""

from typing import Any

from django.test import AsyncClient

from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting

ORIGINS = {"name": "Shop", "origins": "https://www.shop.example"}


async def change(owner: AsyncClient, site: WidgetSite, **fields: Any) -> None:
    response = await owner.post(f"/sites/{site.key}/settings/", ORIGINS | fields)
    assert response.status_code == 302


async def status_of(visitor: Visiting) -> int:
    response = await visitor.send()
    if response.status_code == 200:
        await read_stream(response)
    return int(response.status_code)


async def test_messages_per_minute_are_limited_for_each_visitor_and_for_all(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting, victor: Visiting
) -> None:
    await change(alice_client, shop, visitor_requests=2)
    assert [await status_of(vera) for _ in range(3)] == [200, 200, 429]
    assert await status_of(victor) == 200
    await change(alice_client, shop, site_requests=3)
    assert [await status_of(each) for each in (vera, victor)] == [429, 429]
    await change(alice_client, shop)
    assert [await status_of(each) for each in (vera, victor)] == [200, 200]


async def test_a_limit_of_zero_allows_nothing(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting
) -> None:
    for name in ("visitor_tokens", "site_tokens", "site_dollars"):
        await change(alice_client, shop, **{name: 0})
        assert await status_of(vera) == 429, name


async def test_visitors_see_the_owners_texts(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting
) -> None:
    persona = await Persona.objects.acreate(owner_id=shop.owner_id, name="Clerk")
    await change(
        alice_client, shop, welcome="Hello", starters="One?\nTwo?", persona=str(persona.pk),
        privacy_url="https://www.shop.example/privacy", retention_days=30,
    )  # fmt: skip
    said = (await vera.begin()).json()["site"]
    assert (said["welcome"], said["starters"]) == ("Hello", ["One?", "Two?"])
    assert (said["privacy_url"], said["retention_days"]) == (
        "https://www.shop.example/privacy", 30,
    )  # fmt: skip


async def test_a_deleted_site_is_gone_for_its_visitors(
    alice_client: AsyncClient, shop: WidgetSite, vera: Visiting
) -> None:
    assert await status_of(vera) == 200
    assert (await alice_client.post(f"/sites/{shop.key}/deletion/")).status_code == 302
    assert (await vera.send()).status_code == 404
    assert (await vera.get("conversations")).status_code == 404
