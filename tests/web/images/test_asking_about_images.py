"""An image goes to a model that reads images; others get a note or refuse it."""

import json
from base64 import b64decode
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Message
from chat.conversations.prompt import PromptImage, PromptMessage
from chat.errors import OutOfCapacity
from chat.upstream.failover import _helps
from chat.upstream.request import CompletionRequest
from tests.support.generations.send import DONE, send, stored
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.web.attached_images import BLIND, PLACE, VISION, ask_about, line, upload
from tests.support.widget.pictures import jpeg, png

SAYS_AYE = always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))


def sent_messages(request: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(request.partition(b"\r\n\r\n")[2])["messages"]
    return found


async def test_the_model_gets_the_image(alice_client: AsyncClient) -> None:
    one, two = await upload(alice_client), await upload(alice_client, jpeg(30, 20))
    text = f"What are they?\n{line(one)}{line(two, 'bank.jpg')}"
    response = await send(alice_client, text=text, model=VISION)
    await read_stream(response)
    _generation, answer = await stored(response)
    assert "2 images: PNG, 64 × 48 pixels; JPEG, 30 × 20 pixels." in answer.text
    question = await Message.objects.aget(role="user")
    assert question.text == text
    assert await MessageImage.objects.filter(message=question).acount() == 2
    assert (await alice_client.get(PLACE + one)).status_code == 200


async def test_the_request_has_content_parts_in_openais_form(alice_client: AsyncClient) -> None:
    digest = await upload(alice_client)
    async with site_with(SAYS_AYE) as raw:
        first = await ask_about(alice_client, digest)
        await read_stream(
            await send(alice_client, first["X-Conversation-Id"], text="Really?", model=VISION)
        )
    asked, _aye, again = sent_messages(raw.requests[1])
    text, image = asked["content"]
    assert text == {"type": "text", "text": "What is it?"}
    head, _comma, content = image["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert b64decode(content) == bytes((await StoredImage.objects.aget()).content)
    assert again["content"] == "Really?"


async def test_a_question_may_be_an_image_alone(alice_client: AsyncClient) -> None:
    digest = await upload(alice_client)
    async with site_with(SAYS_AYE) as raw:
        await ask_about(alice_client, digest, text="")
    (message,) = sent_messages(raw.requests[0])
    assert [each["type"] for each in message["content"]] == ["image_url"]


async def test_a_model_without_vision_refuses_and_nothing_is_stored(
    alice_client: AsyncClient,
) -> None:
    digest = await upload(alice_client)
    refused = await send(alice_client, text=f"What?\n{line(digest)}", model=BLIND)
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "images_unsupported"
    assert not await Message.objects.aexists()


async def test_a_retry_with_a_model_without_vision_is_refused(alice_client: AsyncClient) -> None:
    first = await ask_about(alice_client, await upload(alice_client))
    place, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
    refused = await send(alice_client, place, retry=answer, model=BLIND)
    assert refused.json()["error"]["code"] == "images_unsupported"
    again = await send(alice_client, place, retry=answer, model=VISION)
    await read_stream(again)
    assert "1 image: PNG" in (await stored(again))[1].text


async def test_a_later_question_to_a_model_without_vision_has_a_note_instead(
    alice_client: AsyncClient,
) -> None:
    digest = await upload(alice_client)
    async with site_with(SAYS_AYE) as raw:
        first = await ask_about(alice_client, digest)
        later = await send(alice_client, first["X-Conversation-Id"], text="And?", model=BLIND)
        await read_stream(later)
    contents = [each["content"] for each in sent_messages(raw.requests[1])]
    assert contents == ["What is it?\n[image: river.png]", "Aye", "And?"]


async def test_somebody_elses_image_and_an_unknown_one_are_refused_alike(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    for digest in (await upload(alice_client), "0" * 32):
        refused = await send(bob_client, text=line(digest), model=VISION)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "image_missing")


async def test_more_images_than_allowed_are_refused_with_the_limit(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_IMAGES = 1
    both = line(await upload(alice_client)) + line(await upload(alice_client, png(3, 3)))
    refused = await send(alice_client, text=both, model=VISION)
    assert refused.json()["error"]["code"] == "too_many_images"
    assert "limit for one message is 1" in refused.json()["error"]["message"]


async def test_old_images_become_notes_when_there_are_too_many(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.conversations.images.prompt_images.MAX_OLDER_IMAGES", 1)
    async with site_with(SAYS_AYE) as raw:
        place = None
        for size in (3, 4, 5):
            digest = await upload(alice_client, png(size, 9))
            place = (await ask_about(alice_client, digest, place))["X-Conversation-Id"]
    contents = [
        each["content"] for each in sent_messages(raw.requests[-1]) if each["role"] == "user"
    ]
    assert contents[0] == "What is it?\n[image: river.png]"
    assert [len(each) for each in contents[1:]] == [2, 2]


def test_failover_never_turns_to_a_model_without_vision() -> None:
    from chat.upstream import available_models

    models = available_models.all_models()
    image = PromptImage("a.png", "0" * 32)
    asked = CompletionRequest([PromptMessage("user", "What?", images=(image,))], VISION, 10)
    plain = CompletionRequest([PromptMessage("user", "What?")], VISION, 10)
    error = OutOfCapacity()
    assert not _helps(models[BLIND], models[VISION], error, asked)
    assert _helps(models[BLIND], models[VISION], error, plain)
    assert _helps(models[VISION], models[BLIND], error, asked)
