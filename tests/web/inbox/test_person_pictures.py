"""A person's picture is shown to visitors with their messages, and deleted with their profile."""

import uuid
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from chat.widget_sites.models import SiteMember, SitePicture, TeamProfile, WidgetSite
from tests.support.widget.pictures import png
from tests.support.widget.visitor_client import Visiting


async def save(client: AsyncClient, shop: WidgetSite, **values: Any) -> int:
    place = f"/sites/{shop.key}/team/name/"
    return (await client.post(place, {"name": "Agnes"} | values)).status_code


def upload(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("me.png", content, content_type="image/png")


async def test_visitors_see_the_picture_with_the_persons_messages(
    agent_client: AsyncClient, vera: Visiting, inbox: Callable[..., str], chat: str,
    shop: WidgetSite,
) -> None:  # fmt: skip
    assert await save(agent_client, shop, picture=upload(png(40, 40))) == 302
    await agent_client.post(inbox(chat) + "takeover/")
    sent = {"text": "Hello", "key": uuid.uuid4().hex}
    await agent_client.post(inbox(chat) + "turns/", sent)
    turn = (await vera.get(f"conversations/{chat}")).json()["turns"][-1]
    picture = await SitePicture.objects.aget()
    assert (turn["person_name"], turn["person_picture"]) == ("Agnes", picture.digest)
    shown = await vera.get(f"pictures/{picture.digest}")
    assert shown["Content-Type"] == "image/png"
    team = (await agent_client.get(f"/sites/{shop.key}/team/")).content.decode()
    assert f"/w/{shop.key}/pictures/{picture.digest}" in team


async def test_saving_the_name_alone_keeps_the_picture_and_removing_deletes_it(
    agent_client: AsyncClient, shop: WidgetSite
) -> None:
    await save(agent_client, shop, picture=upload(png(40, 40)))
    await save(agent_client, shop, name="Agnes of the shop")
    profile = await TeamProfile.objects.aget()
    assert profile.picture_id
    await save(agent_client, shop, remove_picture="on")
    profile = await TeamProfile.objects.aget()
    assert profile.picture_id is None
    assert not await SitePicture.objects.aexists()


async def test_the_picture_goes_with_the_name_and_with_the_member(
    agent_client: AsyncClient, alice_client: AsyncClient, shop: WidgetSite
) -> None:
    await save(agent_client, shop, picture=upload(png(40, 40)))
    await save(agent_client, shop, name="")
    assert not await SitePicture.objects.aexists()
    await save(agent_client, shop, picture=upload(png(40, 40)))
    member = await SiteMember.objects.aget()
    removed = await alice_client.post(f"/sites/{shop.key}/team/{member.pk}/removal/")
    assert removed.status_code == 302
    assert not await TeamProfile.objects.aexists()
    assert not await SitePicture.objects.aexists()


async def test_a_new_look_keeps_the_pictures_of_persons(
    agent_client: AsyncClient, alice_client: AsyncClient, shop: WidgetSite
) -> None:
    await save(agent_client, shop, picture=upload(png(40, 40)))
    saved = await alice_client.post(f"/sites/{shop.key}/look/", {"color": "#0b6e4f"})
    assert saved.status_code == 302
    assert await SitePicture.objects.aexists()


async def test_what_is_no_picture_is_refused(agent_client: AsyncClient, shop: WidgetSite) -> None:
    assert await save(agent_client, shop, picture=upload(b"<svg onload=alert(1)>")) == 422
    assert await save(agent_client, shop, picture=upload(b"")) == 422
    assert not await SitePicture.objects.aexists()
