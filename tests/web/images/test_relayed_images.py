"""Temporary chats have images in their requests: checked like stored ones, and never stored."""

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.conversations.images.models import StoredImage
from chat.conversations.images.relayed_images import max_relayed_bytes
from chat.conversations.models import Message
from tests.support.generations.send import DONE
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.web.attached_images import BLIND, VISION
from tests.support.widget.pictures import jpeg, png

SAYS_AYE = always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))
AYE = {"role": "assistant", "content": "Aye"}


def part(content: bytes, kind: str = "image/png") -> dict[str, Any]:
    url = f"data:{kind};base64,{b64encode(content).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def question(*images: dict[str, Any], text: str = "What is it?") -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}, *images]}


async def relayed(client: AsyncClient, *messages: dict[str, Any], model: str = VISION) -> Any:
    """Send the messages, and return those that the model got."""
    async with site_with(SAYS_AYE) as raw:
        response = await ask(client, {"messages": messages, "model": model})
        assert response.status_code == 200, response.content
        await read_stream(response)
    return json.loads(raw.requests[0].partition(b"\r\n\r\n")[2])["messages"]


async def refusal(client: AsyncClient, *messages: dict[str, Any], model: str = VISION) -> Any:
    response = await ask(client, {"messages": messages, "model": model})
    return response.status_code, response.json()["error"]["code"]


async def test_the_model_gets_the_image_and_nothing_is_stored(alice_client: AsyncClient) -> None:
    response = await ask(alice_client, {"messages": [question(part(png(64, 48)))], "model": VISION})
    assert "1 image: PNG, 64 × 48 pixels." in (await read_stream(response)).text
    assert not await StoredImage.objects.aexists()
    assert not await Message.objects.aexists()


async def test_the_bytes_decide_and_metadata_is_removed(alice_client: AsyncClient) -> None:
    noted = png(9, 9, b"tEXt")
    (message,) = await relayed(alice_client, question(part(noted, "image/jpeg")))
    text, image = message["content"]
    assert text == {"type": "text", "text": "What is it?"}
    head, _comma, content = image["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert b64decode(content) == png(9, 9)


async def test_a_question_may_be_an_image_alone(alice_client: AsyncClient) -> None:
    (message,) = await relayed(alice_client, {"role": "user", "content": [part(jpeg(30, 20))]})
    assert [each["type"] for each in message["content"]] == ["image_url"]


@pytest.mark.parametrize(
    ("image", "refused"),
    [
        (part(b"<svg/>", "image/svg+xml"), (415, "not_an_image")),
        (part(png(5000, 1)), (413, "image_too_large")),
        (part(png(9, 9) + b"more"), (415, "not_an_image")),
        ({"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}, (400, "bad_request")),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,?"}}, (415, "not_an_image")),
        ({"type": "image_url"}, (400, "bad_request")),
    ],
)  # fmt: skip
async def test_what_is_no_image_of_the_request_is_refused(
    alice_client: AsyncClient, image: dict[str, Any], refused: tuple[int, str]
) -> None:
    assert await refusal(alice_client, question(image)) == refused


async def test_size_and_number_are_limited(alice_client: AsyncClient, settings: Settings) -> None:
    image = part(png(3, 3))
    assert await refusal(alice_client, question(*[image] * 5)) == (400, "too_many_images")
    turns = [each for _ in range(4) for each in (question(*[image] * 4), AYE)]
    assert await refusal(alice_client, *turns, question()) == (400, "too_many_images")
    settings.MAX_IMAGE_BYTES = 20
    assert await refusal(alice_client, question(image)) == (413, "image_too_large")
    settings.MAX_MESSAGE_IMAGES = 0  # off
    assert await refusal(alice_client, question(image)) == (400, "too_many_images")


async def test_an_answer_has_no_images(alice_client: AsyncClient) -> None:
    answer = {"role": "assistant", "content": [part(png(3, 3))]}
    assert await refusal(alice_client, question(), answer, question()) == (400, "bad_request")


async def test_a_model_without_vision_refuses_the_question_and_has_notes_of_older_ones(
    alice_client: AsyncClient,
) -> None:
    asked = question(part(png(3, 3)))
    assert await refusal(alice_client, asked, model=BLIND) == (400, "images_unsupported")
    got = await relayed(alice_client, asked, AYE, question(text="And?"), model=BLIND)
    contents = [each["content"] for each in got]
    assert contents == ["What is it?\n[image: image.png]", "Aye", "And?"]


async def test_older_images_become_notes_when_there_are_too_many(alice_client: AsyncClient) -> None:
    turns = [each for _ in range(3) for each in (question(*[part(png(3, 3))] * 3), AYE)]
    got = await relayed(alice_client, *turns, question(text="And?"))
    kinds = [type(each["content"]) for each in got if each["role"] == "user"]
    assert kinds == [str, list, list, str]


async def test_the_page_makes_images_so_small_that_a_question_fits(settings: Settings) -> None:
    settings.MAX_BODY_BYTES, settings.MAX_MESSAGE_IMAGES = 4 * 1024 * 1024, 4
    assert 4 * max_relayed_bytes() * 4 / 3 < settings.MAX_BODY_BYTES
    settings.MAX_IMAGE_BYTES = 1000
    assert max_relayed_bytes() == 1000
