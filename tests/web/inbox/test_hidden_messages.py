"""What staff have hidden in a visitor's chat is hidden from the website's team, too."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Message
from chat.review.moderation import content
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, staff_context_of
from tests.support.documents.samples import WORDS, pdf
from tests.support.generations.stream_reader import read_stream
from tests.support.web.attached_images import VISION, line
from tests.support.web.attached_originals import block
from tests.support.widget.pictures import png
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_files import use_model

Inbox = Callable[..., str]


@pytest.fixture
async def answer(shop: WidgetSite, vera: Visiting) -> Message:
    """Return an answer to vera's question with an image and a file, and with an image itself."""
    await WidgetSite.objects.aupdate(accepts_files=True)
    await use_model(VISION)
    file = (await vera.post_file("documents/?name=.pdf&keep=1", pdf(WORDS))).json()["file"]
    image = (await vera.post_file("images/", png(64, 48))).json()["digest"]
    await vera.post_file("images/", png(32, 48))
    sent = await vera.send(f"How is it?\n{block(file)}{line(image)}")
    await read_stream(sent)
    answer = await Message.objects.select_related("parent").aget(pk=sent["X-Message-Id"])
    drawn = await StoredImage.objects.alatest("pk")
    await MessageImage.objects.acreate(message=answer, image=drawn)
    return answer


async def addresses_of(message: Message, inbox: Inbox) -> list[str]:
    """Return the addresses of a message's images, files and stream."""
    chat = str(message.conversation_id)
    images = StoredImage.objects.filter(uses__message=message)
    attached = [
        inbox(chat, kind) + digest
        for kind, found in (("images", images.images()), ("files", images.files()))
        async for digest in found.values_list("digest", flat=True)
    ]
    streams = message.generations.values_list("pk", flat=True)
    return [*attached, *[inbox(chat, "live", str(each)) async for each in streams]]


async def statuses(client: AsyncClient, addresses: list[str]) -> set[int]:
    return {(await client.get(each)).status_code for each in addresses}


@pytest.mark.every_variant
@pytest.mark.parametrize("is_question", [True, False])
async def test_images_files_and_streams_of_a_hidden_message_are_not_found_by_the_team(
    agent_client: AsyncClient, bob: User, inbox: Inbox, answer: Message, is_question: bool
) -> None:
    assert answer.parent
    hidden, other = (answer.parent, answer) if is_question else (answer, answer.parent)
    kept, others = await addresses_of(hidden, inbox), await addresses_of(other, inbox)
    assert len(kept) == len(others) == 2
    assert await statuses(agent_client, [*kept, *others]) == {200}
    await sync_to_async(give)(bob, "lead_review", None)
    staff = await sync_to_async(staff_context_of)(bob)
    await sync_to_async(content.hide)(staff, hidden.conversation_id, hidden.pk)
    assert await statuses(agent_client, kept) == {404}
    assert await statuses(agent_client, others) == {200}
    await sync_to_async(content.show)(staff, hidden.conversation_id, hidden.pk)
    assert await statuses(agent_client, kept) == {200}
