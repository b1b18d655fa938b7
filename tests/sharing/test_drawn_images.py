"""Images that a model has drawn are part of a shared chat, and of its copies."""

import json

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.sharing import redaction as shared_redaction
from chat.sharing.links import Choices, make, revoke
from chat.sharing.models import SharedLink
from tests.sharing.conftest import page_of
from tests.support.generations.drawn_images import PROMPT, plant_drawn_image

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(conversation: Conversation) -> Message:
    return conversation.messages.filter(role="assistant").order_by("pk")[0]


@pytest.fixture
def image(answer: Message) -> StoredImage:
    return plant_drawn_image(answer)


@pytest.fixture
def link(image: StoredImage, conversation: Conversation) -> SharedLink:
    return make(conversation, Choices())


def address(link: SharedLink, image: StoredImage) -> str:
    return f"/s/{link.token}/images/{image.digest}"


def test_readers_see_the_image(link: SharedLink, image: StoredImage) -> None:
    page = page_of(link)
    assert f'src="{address(link, image)}"' in page
    assert f'alt="Draw: {PROMPT}"' in page
    response = Client().get(address(link, image))
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    revoke(link)
    assert Client().get(address(link, image)).status_code == 404


def test_other_images_of_tools_are_not_shared(
    link: SharedLink, image: StoredImage, conversation: Conversation
) -> None:
    StoredToolCall.objects.update(tool="tides__chart")
    other = make(conversation, Choices())
    assert image.digest not in page_of(other)
    assert Client().get(address(other, image)).status_code == 404


def test_a_hidden_answer_shows_none(link: SharedLink, image: StoredImage, answer: Message) -> None:
    for message, words in redaction.redact(answer):
        shared_redaction.redact(message, words)
    assert image.digest not in page_of(link)
    assert Client().get(address(link, image)).status_code == 404
    for message, words in redaction.unredact(answer):
        shared_redaction.unredact(message, words)
    assert image.digest in page_of(link)


def test_a_copy_has_images_of_its_own(
    bob: User, bob_browser: Client, link: SharedLink, image: StoredImage
) -> None:
    place = bob_browser.post(f"/s/{link.token}/continuation/")["Location"]
    copy = StoredImage.objects.get(owner=bob)
    assert copy.digest == image.digest
    assert MessageImage.objects.get(image=copy).message.conversation.owner_id == bob.pk
    assert f'href="/chat/images/{copy.digest}"' in bob_browser.get(place).content.decode()
    assert bob_browser.get(f"/chat/images/{copy.digest}").status_code == 200


def test_an_imported_answer_shares_no_more_than_a_written_one(
    answer: Message, image: StoredImage, conversation: Conversation
) -> None:
    call = answer.tool_calls.get()
    StoredToolCall.objects.filter(pk=call.pk).update(arguments=json.dumps({"x": "y" * 20_000}))
    StoredToolCall.objects.bulk_create(
        StoredToolCall(
            message=answer,
            place=place,
            round=0,
            tool=call.tool,
            arguments=call.arguments,
            state="done",
            images=[image.digest] * 20,
        )
        for place in range(1, 30)
    )
    link = make(conversation, Choices())
    assert page_of(link).count("<img") == 4
    assert "yyy" not in str(link.turns)
