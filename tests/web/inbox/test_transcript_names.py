"""A chat that is mailed to a visitor has the names that the visitor saw."""

from collections.abc import Callable

from django.core import mail
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import Visiting
from tests.support.widget.visitor_emails import ADDRESS, answer


async def test_a_transcript_says_where_no_answer_was_received(
    vera: Visiting, shop: WidgetSite
) -> None:
    await WidgetSite.objects.aupdate(mails_transcripts=True)
    await vera.send("/error 3040")
    chat = (await Conversation.objects.aget()).pk
    await vera.post(f"conversations/{chat}/transcript", {"email": ADDRESS})
    _before, _question, answered = mail.outbox[-1].body.split("\n---\n")
    assert "No answer was received." in answered


async def test_a_transcript_has_the_names_that_the_visitor_saw(
    agent_client: AsyncClient,
    inbox: Callable[..., str],
    vera: Visiting,
    chat: str,
    shop: WidgetSite,
) -> None:
    await WidgetSite.objects.aupdate(mails_transcripts=True)
    agnes = await User.objects.aget(email="agnes@example.org")
    await shop.profiles.acreate(user=agnes, name="Agnes from the shop")
    await answer(agent_client, inbox, chat, "It costs 30 euros.")
    await vera.post(f"conversations/{chat}/transcript", {"email": ADDRESS})
    body = mail.outbox[-1].body
    assert "**Agnes from the shop**" in body
    assert "**Shop**" in body
    assert "Llama" not in body
    assert "Times are in the time zone UTC." in body
