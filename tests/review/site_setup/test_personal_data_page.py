"""Administrators choose what providers of models don't get to see, and members are told."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.site_settings import effective, stored_settings
from tests.support.widget.visitor_client import make_site

PATH = "/review/site/personal-data/"
POSTED = {"region": "de", "masks": "on", "reason": "It was agreed"}
TOLD = "are hidden from it."
refresh = sync_to_async(stored_settings.refresh)


async def test_what_is_saved_counts_and_is_recorded(
    administrator_client: AsyncClient, administrator: User
) -> None:
    group = await Group.objects.acreate(name="Clinic")
    response = await administrator_client.post(PATH, POSTED | {"groups": [str(group.pk)]})
    assert response.status_code == 302
    await refresh()
    assert effective.phone_region() == "DE"
    assert effective.masks_personal_data()
    assert effective.groups_with_masking() == [group.pk]
    details = [each.detail async for each in StaffAction.objects.filter(kind="site_changed")]
    assert "COVER_PERSONAL_DATA: – → True" in details
    page = (await administrator_client.get(PATH)).content.decode()
    assert 'value="DE"' in page
    await administrator_client.post(PATH, {"region": "", "reason": "It was agreed"})
    await refresh()
    assert not effective.may_mask_personal_data()
    assert effective.phone_region() == ""


@pytest.mark.parametrize("region", ["XX", "+4", "D"])
async def test_an_unknown_country_is_explained(
    administrator_client: AsyncClient, administrator: User, region: str
) -> None:
    response = await administrator_client.post(PATH, POSTED | {"region": region})
    assert response.status_code == 422
    assert "Enter the two letters of a country" in response.content.decode()


async def test_members_and_visitors_are_told(
    alice: User, alice_client: AsyncClient, administrator_client: AsyncClient, administrator: User
) -> None:
    site = await sync_to_async(make_site)(alice)
    pages = ("/chat/", f"/w/{site.key}/")
    for path in pages:
        assert TOLD not in (await alice_client.get(path)).content.decode()
    await administrator_client.post(PATH, POSTED)
    await refresh()
    for path in pages:
        assert TOLD in (await alice_client.get(path)).content.decode()


async def test_only_members_of_a_covered_group_are_told(
    alice: User, alice_client: AsyncClient, administrator_client: AsyncClient, administrator: User
) -> None:
    group = await Group.objects.acreate(name="Clinic")
    posted = {"region": "", "groups": [str(group.pk)], "reason": "It was agreed"}
    await administrator_client.post(PATH, posted)
    await refresh()
    assert TOLD not in (await alice_client.get("/chat/")).content.decode()
    await alice.groups.aadd(group)
    assert TOLD in (await alice_client.get("/chat/")).content.decode()
