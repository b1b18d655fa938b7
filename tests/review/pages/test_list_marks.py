"""The lists say what is reported, in a case and already read."""

import re

from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.ratings import Opinion
from chat.review.cases import flags, workflow
from tests.review.conftest import staff_context_of
from tests.support.review.conversations import new_conversation
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page

READ = "Already read"


async def row_of(client: AsyncClient, title: str, path: str = "/review/") -> str:
    shown = await page(client, path)
    (row,) = (each for each in re.findall(r"<tr role.*?</tr>", shown, re.S) if title in each)
    return str(row)


async def test_a_reported_chat_shows_its_report_and_its_case(
    lead_client: AsyncClient, lead: User, alice: User
) -> None:
    case = await reported(alice, "Rivers")
    await new_conversation(alice, "Lakes")
    await begin(lead_client)
    row = await row_of(lead_client, "Rivers")
    assert "Unassigned case" in row
    assert "User report" in row
    assert "Rule match" not in row
    other = await row_of(lead_client, "Lakes")
    assert "case" not in other
    assert "User report" not in other
    staff = await sync_to_async(staff_context_of)(lead)
    await sync_to_async(workflow.claim)(staff, case.pk)
    assert "Case in progress" in await row_of(lead_client, "Rivers")
    await sync_to_async(workflow.resolve)(staff, case.pk, "dismissed", "Nothing wrong here")
    assert "Resolved case" in await row_of(lead_client, "Rivers")


async def test_a_bad_rating_is_shown_once(lead_client: AsyncClient, alice: User) -> None:
    _, answer = await new_conversation(alice, "Rivers")
    await sync_to_async(flags.flag_rating)(answer, alice.pk, Opinion(-1))
    await begin(lead_client)
    row = await row_of(lead_client, "Rivers")
    assert "Unassigned case" in row
    assert "Bad answer" not in row


async def test_an_opened_chat_counts_as_read_until_it_is_used_again(
    lead_client: AsyncClient, alice: User
) -> None:
    chat, _ = await new_conversation(alice, "Rivers")
    await begin(lead_client)
    for _time in range(2):  # a title in a list is not the chat
        assert READ not in await row_of(lead_client, "Rivers")
    await page(lead_client, f"/review/{chat.pk}/")
    assert READ in await row_of(lead_client, "Rivers")
    await Conversation.objects.filter(pk=chat.pk).aupdate(updated_at=timezone.now())
    assert READ not in await row_of(lead_client, "Rivers")


async def test_each_staff_member_reads_for_themselves(
    lead_client: AsyncClient, reviewer_client: AsyncClient, alice: User
) -> None:
    chat, _ = await new_conversation(alice, "Rivers")
    await page(await begin(lead_client), f"/review/{chat.pk}/")
    assert READ not in await row_of(await begin(reviewer_client), "Rivers")


async def test_the_queue_says_what_is_already_read(lead_client: AsyncClient, alice: User) -> None:
    case = await reported(alice, "Rivers")
    await begin(lead_client)
    assert READ not in await row_of(lead_client, "Rivers", "/review/queue/")
    await page(lead_client, f"/review/{case.conversation_id}/")
    assert READ in await row_of(lead_client, "Rivers", "/review/queue/")
