"""Staff open an image of a question on request, and that is recorded."""

from typing import NamedTuple

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations import redaction
from chat.conversations.images import message_images, store
from chat.conversations.models import Message
from chat.review.models import AccessLogEntry
from tests.review.conftest import only_message, say
from tests.support.review.reason_for_access import begin, page
from tests.support.web.attached_images import line
from tests.support.widget.pictures import png


class Asked(NamedTuple):
    question: Message
    digest: str

    @property
    def place(self) -> str:
        return f"/review/{self.question.conversation_id}/"

    @property
    def image(self) -> str:
        return f"{self.place}images/{self.digest}"


@pytest.fixture
def asked(alice: User) -> Asked:
    digest = store.store(alice.pk, png(64, 48)).digest
    question = only_message(say(alice, f"What is it?\n{line(digest)}", "A river."))
    message_images.attach(question, message_images.require_images(alice.pk, question.text))
    return Asked(question, digest)


async def test_the_page_names_the_image_and_opening_it_is_recorded(
    asked: Asked, reviewer_client: AsyncClient
) -> None:
    client = await begin(reviewer_client)
    shown = await page(client, asked.place)
    assert f'href="{asked.image}"' in shown
    assert "<img" not in shown.partition("<main")[2]
    before = await AccessLogEntry.objects.acount()
    image = await client.get(asked.image)
    assert image["Content-Type"] == "image/png"
    assert image["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "no-store" in image["Cache-Control"]
    assert await AccessLogEntry.objects.acount() == before + 1
    entry = await AccessLogEntry.objects.alatest("pk")
    assert (entry.kind, entry.message) == ("read", asked.question.pk)


async def test_a_hidden_image_is_still_evidence(asked: Asked, reviewer_client: AsyncClient) -> None:
    await sync_to_async(redaction.redact)(asked.question)
    assert (await (await begin(reviewer_client)).get(asked.image)).status_code == 200


async def test_other_chats_and_unsent_images_are_not_found(
    alice: User, bob: User, asked: Asked, reviewer_client: AsyncClient
) -> None:
    client = await begin(reviewer_client)
    unsent = (await sync_to_async(store.store)(alice.pk, png(9, 9))).digest
    assert (await client.get(f"{asked.place}images/{unsent}")).status_code == 404
    for owner in (alice, bob):
        chat = await sync_to_async(say)(owner, "Hello")
        assert (await client.get(f"/review/{chat.pk}/images/{asked.digest}")).status_code == 404


async def test_an_image_of_a_deleted_question_is_gone_for_staff_too(
    asked: Asked, reviewer_client: AsyncClient
) -> None:
    found = Message.objects.filter(pk=asked.question.pk)
    await found.aupdate(deleted_at="2026-01-01T00:00Z")
    assert (await (await begin(reviewer_client)).get(asked.image)).status_code == 404
