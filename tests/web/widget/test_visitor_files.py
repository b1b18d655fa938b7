"""Visitors send images and files if the website's owner allows it, within tight limits."""

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.conversations.images import message_images
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Message
from chat.generations.deletion.soft_delete import delete_site
from chat.review.models import AccessLogEntry
from chat.web.http import visitor_files
from chat.widget_sites.models import WidgetSite
from tests.support.documents.samples import WORDS, pdf
from tests.support.generations.purge import sweep
from tests.support.generations.stream_reader import read_stream
from tests.support.web.attached_images import BLIND, VISION, line
from tests.support.web.attached_originals import block
from tests.support.widget.pictures import png
from tests.support.widget.takeovers import take
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_files import use_model


@pytest.fixture
async def taking(shop: WidgetSite) -> WidgetSite:
    """Return the website, which accepts files and has a model that reads images."""
    await WidgetSite.objects.aupdate(accepts_files=True)
    await use_model(VISION)
    return shop


async def upload(visitor: Visiting, content: bytes | None = None) -> str:
    response = await visitor.post_file("images/", content or png(64, 48))
    assert response.status_code == 201, response.content
    return str(response.json()["digest"])


@pytest.mark.parametrize("path", ["images/", "documents/?name=.pdf&keep=1"])
async def test_where_the_owner_allows_no_files_none_are_taken(vera: Visiting, path: str) -> None:
    await use_model(VISION)
    refused = await vera.post_file(path, png())
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "files_not_accepted")
    assert not await StoredImage.objects.aexists()


async def test_the_model_sees_a_visitors_image_and_nobody_else_gets_it(
    taking: WidgetSite, vera: Visiting, victor: Visiting, alice_client: AsyncClient
) -> None:
    digest = await upload(vera)
    sent = await vera.send(f"What is it?\n{line(digest)}")
    await read_stream(sent)
    answer = await Message.objects.aget(pk=sent["X-Message-Id"])
    assert "64 × 48" in answer.text
    assert (await vera.get(f"images/{digest}")).content == (
        await StoredImage.objects.aget()
    ).content
    assert (await victor.get(f"images/{digest}")).status_code == 404
    assert (await alice_client.get(f"/chat/images/{digest}")).status_code == 404
    refused = await victor.send(line(digest))
    assert refused.json()["error"]["code"] == "image_missing"


async def test_a_model_that_reads_no_images_is_no_place_for_images(
    taking: WidgetSite, vera: Visiting
) -> None:
    await use_model(BLIND)
    refused = await vera.post_file("images/", png())
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "images_unsupported")
    assert "in words" in refused.json()["error"]["message"]


async def test_the_team_opens_what_a_visitor_sent_and_that_is_recorded(
    taking: WidgetSite, vera: Visiting, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    read = await vera.post_file("documents/?name=.pdf&keep=1", pdf(WORDS))
    assert WORDS in read.json()["text"]
    image, file = await upload(vera), read.json()["file"]
    sent = await vera.send(f"How is it?\n{block(file)}{line(image)}")
    await read_stream(sent)
    place = f"/sites/{taking.key}/inbox/{sent['X-Conversation-Id']}/"
    page = (await alice_client.get(place)).content.decode()
    before = await AccessLogEntry.objects.acount()
    for path in (f"{place}images/{image}", f"{place}files/{file}"):
        assert f'href="{path}"' in page
        assert (await alice_client.get(path)).status_code == 200
        assert (await bob_client.get(path)).status_code == 404
    assert await AccessLogEntry.objects.acount() == before + 2


async def test_the_limits_of_a_day_and_of_a_file_are_tight(
    taking: WidgetSite, vera: Visiting, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_VISITOR_FILE_BYTES = 300
    large = await vera.post_file("documents/?name=.txt", b"Word " * 100)
    assert (large.status_code, large.json()["error"]["code"]) == (413, "document_too_large")
    settings.MAX_VISITOR_BYTES = 10
    full = await vera.post_file("images/", png())
    assert (full.status_code, full.json()["error"]["code"]) == (413, "storage_full")
    for limit in ("FILES_PER_DAY", "NETWORK_FILES_PER_DAY", "SITE_FILES_PER_DAY"):
        with monkeypatch.context() as patch:
            patch.setattr(visitor_files, limit, 0)
            assert (await vera.post_file("images/", png())).status_code == 429


async def test_an_identified_visitor_takes_images_along(
    taking: WidgetSite, vera: Visiting, victor: Visiting
) -> None:
    both, hers = await upload(vera), await upload(vera, png(9, 9))
    await upload(victor)
    await read_stream(await vera.send(f"What is it?\n{line(both)}"))
    stranger = (await MessageImage.objects.select_related("image").aget()).image.owner_id
    known = await StoredImage.objects.exclude(owner=stranger).aget()
    await sync_to_async(message_images.move_all)(stranger, known.owner_id)
    rows = {row.digest: row async for row in StoredImage.objects.all()}
    assert {row.owner_id for row in rows.values()} == {known.owner_id}
    assert rows.keys() == {both, hers}
    assert rows[both].unsent_since is None
    assert (await MessageImage.objects.aget()).image_id == known.pk


async def test_a_deleted_site_leaves_no_image(taking: WidgetSite, vera: Visiting) -> None:
    await read_stream(await vera.send(f"What is it?\n{line(await upload(vera))}"))
    await sync_to_async(delete_site)(taking)
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()
    assert not await MessageImage.objects.aexists()


async def test_a_message_to_a_person_has_no_more_images_than_one_to_a_model(
    taking: WidgetSite, vera: Visiting, rita_client: AsyncClient, settings: Settings
) -> None:
    sent = await vera.send("Hello")
    await read_stream(sent)
    chat = str(sent["X-Conversation-Id"])
    await take(rita_client, chat)
    first, second = await upload(vera), await upload(vera, png(9, 9))
    settings.MAX_MESSAGE_IMAGES = 1
    refused = await vera.send(f"Two\n{line(first)}{line(second)}", chat)
    assert refused.json()["error"]["code"] == "too_many_images"
    unknown = await vera.send(line("0" * 32), chat)
    assert unknown.json()["error"]["code"] == "image_missing"
    assert (await vera.send(f"One\n{line(second)}", chat)).status_code == 204
    used = MessageImage.objects.values_list("image__digest", flat=True)
    assert [each async for each in used] == [second]
