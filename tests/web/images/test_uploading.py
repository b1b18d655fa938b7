"""Uploaded images are known by their bytes, belong to one member, and go if they are not sent."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.images import cleanup, store
from chat.conversations.images.models import StoredImage
from chat.conversations.sizes import storage
from tests.support.web.attached_images import PLACE, ask_about, post_image, upload
from tests.support.widget.pictures import jpeg, png

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


async def test_its_owner_gets_the_image_as_what_it_is_and_nothing_else(
    alice_client: AsyncClient,
) -> None:
    response = await post_image(alice_client, jpeg(30, 20))
    told = response.json()
    assert (told["width"], told["height"]) == (30, 20)
    shown = await alice_client.get(PLACE + told["digest"])
    assert len(shown.content) == told["bytes"]
    assert shown["Content-Type"] == "image/jpeg"
    assert shown["X-Content-Type-Options"] == "nosniff"
    assert shown["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert shown["Content-Disposition"] == "inline"
    assert shown["Cache-Control"].startswith("private")
    assert "Cookie" in shown["Vary"]


async def test_nobody_else_gets_it(
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    rita_client: AsyncClient,
    anonymous_client: AsyncClient,
) -> None:
    digest = await upload(alice_client)
    for client, status in ((bob_client, 404), (rita_client, 404), (anonymous_client, 401)):
        assert (await client.get(PLACE + digest)).status_code == status


@pytest.mark.parametrize("content", [b"", b"hello", SVG, png()[:-1], png() + b"<script>"])
async def test_what_is_no_image_is_refused_whatever_it_is_called(
    alice_client: AsyncClient, content: bytes
) -> None:
    refused = await alice_client.post(PLACE, data=content, content_type="image/png")
    assert refused.status_code == 415
    assert refused.json()["error"]["code"] == "not_an_image"
    assert not await StoredImage.objects.aexists()


async def test_a_form_is_no_image(alice_client: AsyncClient) -> None:
    """As on a real site, where the CSRF check reads forms before the view does."""
    alice_client.handler.enforce_csrf_checks = True
    alice_client.cookies["csrftoken"] = token = "a" * 32
    sent = await alice_client.post(PLACE, {"image": "x"}, headers={"X-CSRFToken": token})
    assert sent.status_code == 415
    assert sent.json()["error"]["code"] == "not_an_image"


async def test_too_many_bytes_or_pixels_are_refused_with_the_limit(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_IMAGE_BYTES = 2048
    large = await post_image(alice_client, jpeg(2, 2)[:-2] + b"\0" * 3000 + b"\xff\xd9")
    assert large.status_code == 413
    assert "2.0\xa0KB" in large.json()["error"]["message"]
    wide = await post_image(alice_client, png(5000, 2))
    assert wide.status_code == 413
    assert "4096 pixels" in wide.json()["error"]["message"]


async def test_where_images_are_off_none_are_stored(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_IMAGES = 0
    refused = await post_image(alice_client, png())
    assert refused.json()["error"]["code"] == "too_many_images"
    assert not await StoredImage.objects.aexists()


async def test_the_same_image_is_stored_once_for_each_member(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    assert await upload(alice_client) == await upload(alice_client) == await upload(bob_client)
    assert await StoredImage.objects.acount() == 2


async def test_images_count_as_storage(
    alice: User, alice_client: AsyncClient, settings: Settings
) -> None:
    await upload(alice_client)
    size = (await StoredImage.objects.aget()).size_bytes
    assert await sync_to_async(storage.used_bytes)(alice.pk) == size
    settings.MAX_MEMBER_BYTES = size + 10
    refused = await post_image(alice_client, png(300, 300))
    assert refused.status_code == 413
    assert refused.json()["error"]["code"] == "storage_full"


async def test_images_that_were_not_sent_go_after_a_day(alice_client: AsyncClient) -> None:
    sent, loose = await upload(alice_client), await upload(alice_client, png(9, 9))
    await ask_about(alice_client, sent)
    assert await sync_to_async(cleanup.remove_unsent)() == 0
    yesterday = timezone.now() - timedelta(days=1, minutes=1)
    await StoredImage.objects.filter(digest=loose).aupdate(unsent_since=yesterday)
    assert await sync_to_async(cleanup.remove_unsent)() == 1
    assert [each.digest async for each in StoredImage.objects.all()] == [sent]


async def test_only_the_newest_images_that_were_not_sent_are_kept(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_UNSENT", 2)
    sent = await upload(alice_client)
    await ask_about(alice_client, sent)
    others = [await upload(alice_client, png(size, 9)) for size in (3, 4, 5)]
    assert {each.digest async for each in StoredImage.objects.all()} == {sent, *others[1:]}
