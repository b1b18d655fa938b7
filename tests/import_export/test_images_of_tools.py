"""Images that tools returned are part of exports, and come back with an import."""

import json
from typing import Any

import pytest

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import BadRequest
from chat.import_export.markdown import conversation_markdown
from tests.import_export.trees import exported, imported, new_conversation
from tests.support.generations.drawn_images import PROMPT, plant_drawn_image

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation(alice: User) -> Conversation:
    conversation = new_conversation(alice)
    answers = conversation.messages.filter(role="assistant").order_by("pk")
    for answer in answers[:2]:
        plant_drawn_image(answer)  # the same one
    return conversation


def test_they_survive_a_round_trip(bob: User, conversation: Conversation) -> None:
    file = exported(conversation)
    assert imported(bob, file) == 1
    copy = Conversation.objects.get(owner=bob)
    assert exported(copy) == file
    (image,) = StoredImage.objects.filter(owner=bob)
    uses = MessageImage.objects.filter(image=image, message__conversation=copy)
    assert uses.count() == 2
    assert image.unsent_since is None
    calls = StoredToolCall.objects.filter(message__conversation=copy)
    assert [each.images for each in calls] == [[image.digest]] * 2


def test_each_is_in_the_file_once(conversation: Conversation) -> None:
    messages = json.loads(exported(conversation))["messages"]
    with_images = [each for each in messages if "images" in each]
    assert [len(each["images"]) for each in with_images] == [1]
    assert sum(len(call["images"]) for each in messages for call in each.get("tools", ())) == 2


def test_markdown_says_what_they_show(conversation: Conversation) -> None:
    text = b"".join(conversation_markdown(conversation)).decode()
    assert f"\n\n\\[image: {PROMPT}\\]\n\n" in text
    assert text.count("image:") == 1  # the branch has one of the two answers


def test_those_of_a_hidden_answer_are_left_out(conversation: Conversation) -> None:
    conversation.messages.filter(role="assistant").update(hidden_at=conversation.created_at)
    assert '"images"' not in exported(conversation).decode()


def spoil_digest(answer: dict[str, Any]) -> None:
    answer["tools"][0]["images"] = ["../../etc/passwd"]


def spoil_content(answer: dict[str, Any]) -> None:
    answer["images"] = ["bm8gaW1hZ2U="]


def unname(answer: dict[str, Any]) -> None:
    del answer["tools"]


@pytest.mark.parametrize("spoil", [spoil_digest, spoil_content, unname])
def test_what_is_no_image_of_a_tool_is_refused(
    bob: User, conversation: Conversation, spoil: Any
) -> None:
    file = json.loads(exported(conversation))
    spoil(next(each for each in file["messages"] if "images" in each))
    with pytest.raises(BadRequest):
        imported(bob, json.dumps(file).encode())
    assert not Message.objects.filter(conversation__owner=bob).exists()


def test_a_foreign_image_isnt_shown_by_its_digest(bob: User, conversation: Conversation) -> None:
    file = json.loads(exported(conversation))
    for each in file["messages"]:
        each.pop("images", None)
    assert imported(bob, json.dumps(file).encode()) == 1
    assert not MessageImage.objects.filter(message__conversation__owner=bob).exists()
