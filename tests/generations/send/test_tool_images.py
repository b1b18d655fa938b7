"""Images in results of tools: stored with the answer like other images, and read by models."""

import struct
import zlib
from base64 import b64encode
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Message
from chat.conversations.prompt import PromptMessage
from chat.conversations.sizes.storage import used_bytes
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.send.tool_images import FOREIGN_IMAGES
from tests.support.generations.long_chats import Asked
from tests.support.generations.mcp_calls import CHOICE, ask, call, decide
from tests.support.generations.purge import sweep
from tests.support.generations.send import send
from tests.support.generations.stream_reader import SAME_ORIGIN, read_stream
from tests.support.servers.connected_mcp import connect
from tests.support.servers.tides_server import PICTURE
from tests.support.upstream.raw_mcp import mcp_handler
from tests.support.upstream.raw_upstream import raw_upstream
from tests.support.widget.pictures import png

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

SEEING = "@cf/mistralai/mistral-small-3.1-24b-instruct"
CHART = "/tool tides__chart now"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


async def see(client: AsyncClient, text: str = CHART, chat: Any = None) -> StoredToolCall:
    response = await send(client, chat, text=text, site_tools=(CHOICE,), model=SEEING)
    await read_stream(response)
    return await call()


async def go_on(client: AsyncClient, one: StoredToolCall) -> None:
    chat = one.message.conversation_id
    await read_stream(await send(client, chat, resume=one.message_id, model=SEEING))


def images_in(messages: list[PromptMessage]) -> list[PromptMessage]:
    return [each for each in messages if each.images]


def part(content: bytes) -> dict[str, str]:
    return {"type": "image", "data": b64encode(content).decode(), "mimeType": "image/png"}


async def returned(client: AsyncClient, parts: list[dict[str, str]]) -> StoredToolCall:
    """Have a tool return these parts; return its call."""
    async with raw_upstream(mcp_handler({"tools/call": {"content": parts}})) as raw:
        await connect(raw.url, name="Odd")
        response = await send(
            client, text="/tool odd__echo hello", site_tools=("mcp:odd",), model=SEEING
        )
        await read_stream(response)
        return await call()


async def test_an_image_is_stored_shown_and_read(
    alice: User, alice_client: AsyncClient, bob_client: AsyncClient, tides: Any, asked: Asked
) -> None:
    await connect(tides.url)
    one = await see(alice_client)
    stored = await StoredImage.objects.aget()
    assert (stored.owner_id, stored.kind, stored.unsent_since) == (alice.pk, "png", None)
    assert await MessageImage.objects.filter(message=one.message_id, image=stored).aexists()
    assert "[image]" in one.result
    shown = (await alice_client.get(f"/chat/tool-calls/{one.pk}")).json()
    assert shown["images"] == [stored.digest]
    place = f"/chat/images/{stored.digest}"
    response = await alice_client.get(place)
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert (await bob_client.get(place)).status_code == 404
    first, second = asked.answers
    assert images_in(first) == []
    (read,) = images_in(second)
    assert (read.role, read.content) == ("user", FOREIGN_IMAGES)
    assert read.images[0].url.startswith("data:image/png;base64,")
    assert second[-2].role == "tool"
    assert await sync_to_async(used_bytes)(alice.pk) >= stored.size_bytes


async def test_a_model_without_vision_reads_that_there_is_an_image(
    alice_client: AsyncClient, tides: Any, asked: Asked
) -> None:
    await connect(tides.url)
    await ask(alice_client, CHART)
    assert asked.answers
    assert not any(images_in(each) for each in asked.answers)
    one = await call()
    assert "[image]" in one.result
    assert len(one.images) == 1  # for the person


async def test_an_answer_that_goes_on_has_the_images(
    alice_client: AsyncClient, tides: Any, asked: Asked
) -> None:
    await connect(tides.url, asks=True)
    one = await see(alice_client)
    assert one.state == "proposed"
    assert one.images is None
    await decide(alice_client, one)
    await go_on(alice_client, one)
    one = await call()
    assert len(one.images) == 1
    (read,) = images_in(asked.answers[-1])
    assert read.images[0].url
    # In another process, all that there is comes from the database.
    await Message.objects.filter(pk=one.message_id).aupdate(text="")
    await go_on(alice_client, one)
    (read,) = images_in(asked.answers[-1])
    assert (read.content, bool(read.images[0].url)) == (FOREIGN_IMAGES, True)


async def test_metadata_is_removed(alice_client: AsyncClient) -> None:
    content, comment = png(), b"tEXtComment\0made by somebody"
    chunk = struct.pack(">I", len(comment) - 4) + comment + struct.pack(">I", zlib.crc32(comment))
    one = await returned(alice_client, [part(content[:33] + chunk + content[33:])])
    assert len(one.images) == 1
    assert b"somebody" not in bytes((await StoredImage.objects.aget()).content)


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "image", "data": "no base64!"},
        {"type": "image", "data": ""},
        part(b"GIF89a" + b"\0" * 50),
        part(b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        part(PICTURE[:20]),
        part(png(5000, 1)),
        {"type": "audio", "data": b64encode(PICTURE).decode()},
    ],
)
async def test_what_is_no_image_is_only_named(
    alice_client: AsyncClient, odd: dict[str, str], asked: Asked
) -> None:
    one = await returned(alice_client, [odd, {"type": "text", "text": "fine"}])
    assert one.state == "done"
    assert f"[{odd['type']}]\nfine" in one.result
    assert not one.images
    assert not await StoredImage.objects.aexists()
    assert not images_in(asked.answers[-1])


async def test_a_call_returns_few_images(alice_client: AsyncClient, asked: Asked) -> None:
    many = [part(png(2, 2, color=bytes([9, 9, number]))) for number in range(10)]
    one = await returned(alice_client, [*many, many[0]])
    assert len(one.images) == 4
    assert one.result.count("[image]") == 11
    assert sum(len(each.images) for each in asked.answers[-1]) == 4


async def test_without_room_the_text_is_left(
    alice: User, alice_client: AsyncClient, tides: Any, settings: Settings
) -> None:
    await connect(tides.url)
    one = await see(alice_client, "/tool tides__high_tide Oslo")
    settings.MAX_MEMBER_BYTES = await sync_to_async(used_bytes)(alice.pk) + 400
    big = [part(png(60, 60, color=bytes([number, 7, 9]))) for number in range(3)]
    assert sum(map(len, map(str, big))) > 400
    one = await returned(alice_client, big)
    assert one.state == "done"
    assert not one.images or len(one.images) < 3


async def test_images_can_be_off(
    alice_client: AsyncClient, tides: Any, settings: Settings, asked: Asked
) -> None:
    settings.MAX_MESSAGE_IMAGES = 0
    await connect(tides.url)
    one = await see(alice_client)
    assert not one.images
    assert not images_in(asked.answers[-1])


async def test_the_same_image_twice_is_stored_once(alice_client: AsyncClient, tides: Any) -> None:
    await connect(tides.url)
    one = await see(alice_client)
    again = await see(alice_client, chat=one.message.conversation_id)
    assert one.images == again.images
    assert await StoredImage.objects.acount() == 1
    same = await returned(alice_client, [part(png())] * 2)
    assert len(same.images) == 1


async def test_an_image_goes_with_its_answer(
    alice_client: AsyncClient, tides: Any, settings: Settings
) -> None:
    await connect(tides.url)
    one = await see(alice_client)
    digest = one.images[0]
    await Message.objects.filter(pk=one.message_id).aupdate(hidden_at=timezone.now())
    assert (await alice_client.get(f"/chat/images/{digest}")).status_code == 404
    settings.UNDO_SECONDS = 0
    await alice_client.post(f"/chat/{one.message.conversation_id}/deletion/")
    await sync_to_async(sweep)()
    assert not await StoredImage.objects.aexists()


async def test_a_temporary_chat_keeps_none(
    alice_client: AsyncClient, tides: Any, asked: Asked
) -> None:
    await connect(tides.url)
    body = {
        "messages": [{"role": "user", "content": CHART}],
        "model": SEEING,
        "site_tools": [CHOICE],
    }
    response = await alice_client.post(
        "/chat/stream", body, content_type="application/json", headers=SAME_ORIGIN
    )
    await read_stream(response)
    assert images_in(asked.answers[-1])
    assert not await StoredImage.objects.aexists()
