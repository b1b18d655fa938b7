"""A case's link leads to the message that was flagged, and long turns are folded around it."""

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.review.cases import flags
from tests.review.conftest import add_answer, say
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page


@sync_to_async
def long_chat(owner: User) -> tuple[str, list[Message]]:
    """Create a chat with a second, long turn; return its address and both answers."""
    chat = say(owner, "Of rivers", "Water")
    first = chat.messages.get(role=Message.Role.ASSISTANT)
    asked = chat.messages.create(parent=first, role=Message.Role.USER, text="And then?")
    return f"/review/{chat.pk}/", [first, add_answer(asked, "More water. " * 200)]


@sync_to_async
def report(message: Message) -> None:
    flags.report(message.conversation_id, message, message.conversation.owner_id, "wrong", "No")


async def test_a_case_opens_at_its_newest_flagged_message(
    reviewer_client: AsyncClient, alice: User
) -> None:
    address, (first, second) = await long_chat(alice)
    await report(first)
    client = await begin(reviewer_client)
    assert f'href="{address}?at={first.pk}#m{first.pk}"' in await page(client, "/review/queue/")
    await report(second)
    assert f'href="{address}?at={second.pk}#m{second.pk}"' in await page(client, "/review/queue/")
    taken = await client.post("/review/queue/next/")
    assert taken["Location"] == f"{address}?at={second.pk}#m{second.pk}"


async def test_a_case_opens_its_chat_if_the_flagged_message_was_deleted(
    reviewer_client: AsyncClient, alice: User
) -> None:
    case = await reported(alice, "Of rivers")
    await Message.objects.filter(conversation=case.conversation_id).aupdate(
        deleted_at=timezone.now()
    )
    shown = await page(await begin(reviewer_client), "/review/queue/")
    assert f'href="/review/{case.conversation_id}/"' in shown


async def test_long_turns_are_folded_except_the_one_that_was_opened(
    reviewer_client: AsyncClient, alice: User
) -> None:
    address, (_first, second) = await long_chat(alice)
    client = await begin(reviewer_client)
    folded = await page(client, address)
    assert folded.count("data-long") == 1
    assert "data-unfolded" not in folded
    assert 'aria-expanded="false">Show more' in folded
    opened = await page(client, address, at=str(second.pk))
    assert "data-found data-unfolded" in opened
