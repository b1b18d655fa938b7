"""A suspended visitor neither writes by email nor is mailed, until the suspension ends."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient

from chat.accounts import suspension
from chat.conversations.models import Conversation
from tests.support.widget.mail_replies import post, received, reply
from tests.support.widget.visitor_emails import answer, mail_answers

pytestmark = pytest.mark.usefixtures("no_network_jobs", "inbound")


async def test_their_emails_are_not_taken(answered: str) -> None:
    owner = (await Conversation.objects.select_related("owner").aget(pk=answered)).owner
    await sync_to_async(suspension.suspend)(owner, None)
    await post(reply("While suspended"))
    assert await received() == []
    await sync_to_async(suspension.restore)(owner)
    await post(reply("Afterwards"))
    assert await received() == ["Afterwards"]


async def test_answers_are_mailed_once_the_suspension_has_ended(
    answered: str, agent_client: AsyncClient, inbox: Callable[..., str]
) -> None:
    owner = (await Conversation.objects.select_related("owner").aget(pk=answered)).owner
    await sync_to_async(suspension.suspend)(owner, None)
    mail.outbox.clear()
    await answer(agent_client, inbox, answered, "Or 90 for a week.")
    await mail_answers()
    assert mail.outbox == []
    await sync_to_async(suspension.restore)(owner)
    await mail_answers()
    assert ["Or 90 for a week." in each.body for each in mail.outbox] == [True]
