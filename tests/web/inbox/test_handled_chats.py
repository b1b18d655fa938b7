"""A team assigns its chats, and opens, snoozes and closes them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation, Takeover
from chat.inbox import handled_chats
from chat.inbox.models import HandledChat
from chat.inbox.team_access import remove_member
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import StaffNote
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.outbox import deliver
from tests.support.widget.visitor_client import Visiting

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}
LISTS = ("open", "waiting", "mine", "snoozed", "closed", "all")


async def text_of(client: AsyncClient, path: str) -> str:
    return (await client.get(path, headers=HTML)).content.decode()


async def lists_of(client: AsyncClient, inbox: Inbox, chat: str) -> list[str]:
    """Return the lists that show the chat."""
    pages = {name: await text_of(client, inbox() + f"?show={name}") for name in LISTS}
    return [name for name, page in pages.items() if inbox(chat) in page]


async def handling(client: AsyncClient, inbox: Inbox, chat: str) -> tuple[str, str]:
    news = (await client.get(inbox(chat) + "updates/")).json()["handling"]
    return news["state"], " ".join(news["facts"])


async def agnes() -> User:
    return await User.objects.aget(email="agnes@example.org")


async def test_a_closed_chat_opens_again_when_the_visitor_writes(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await vera.post(f"conversations/{chat}/person-request")
    assert await lists_of(agent_client, inbox, chat) == ["open", "waiting", "all"]
    assert (await agent_client.post(inbox(chat, "closing"))).status_code == 302
    assert await lists_of(agent_client, inbox, chat) == ["closed", "all"]
    state, facts = await handling(agent_client, inbox, chat)
    assert state == "closed"
    assert facts.startswith("Closed by Agnes, ")
    await read_stream(await vera.send("One more question", chat))
    assert await lists_of(agent_client, inbox, chat) == ["open", "all"]
    assert (await handling(agent_client, inbox, chat))[1] == "Open again: the visitor has written"
    action = await StaffAction.objects.alast()
    assert action
    assert (action.kind, action.detail) == ("chat_state_set", "closed")


async def test_a_visitor_who_asks_for_a_person_opens_a_closed_chat(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await agent_client.post(inbox(chat, "closing"))
    await vera.post(f"conversations/{chat}/person-request")
    assert await lists_of(agent_client, inbox, chat) == ["open", "waiting", "all"]


async def test_one_opens_a_closed_chat_again(
    agent_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await agent_client.post(inbox(chat, "closing"))
    await agent_client.post(inbox(chat, "reopening"))
    assert await lists_of(agent_client, inbox, chat) == ["open", "all"]
    assert (await handling(agent_client, inbox, chat))[1].startswith("Opened by Agnes, ")


async def test_a_snoozed_chat_comes_back_at_its_time_with_an_email(
    agent_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await agent_client.post(inbox(chat, "snooze"), {"hours": "4"})
    assert await lists_of(agent_client, inbox, chat) == ["snoozed", "all"]
    assert (await handling(agent_client, inbox, chat))[1].startswith("Snoozed by Agnes until ")
    await sync_to_async(handled_chats.wake_due)()
    assert await lists_of(agent_client, inbox, chat) == ["snoozed", "all"]
    now = timezone.now()
    await HandledChat.objects.aupdate(snoozed_until=now)
    assert await lists_of(agent_client, inbox, chat) == ["open", "all"]
    for _run in range(2):
        await sync_to_async(handled_chats.wake_due)()
    assert await lists_of(agent_client, inbox, chat) == ["open", "all"]
    assert (await handling(agent_client, inbox, chat))[1] == "Open again after a snooze"
    await deliver()
    assert [each.to for each in mail.outbox] == [["agnes@example.org"]]
    assert "A chat that was snoozed is open again." in mail.outbox[0].body
    assert "canoe" not in mail.outbox[0].body


async def test_who_wrote_during_a_snooze_causes_no_email_at_its_end(
    agent_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await agent_client.post(inbox(chat, "snooze"), {"hours": "4"})
    await read_stream(await vera.send("I could not wait", chat))
    assert await lists_of(agent_client, inbox, chat) == ["open", "all"]
    await HandledChat.objects.aupdate(snoozed_until=timezone.now())
    await sync_to_async(handled_chats.wake_due)()
    await deliver()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Enter a time."),
        ({"until": "yesterday"}, "Enter a valid date/time."),
        ({"until": "2001-01-01T10:00"}, "Choose a time in the future"),
        ({"until": "2999-01-01T10:00"}, "Choose a time in the future"),
    ],
)
async def test_a_time_must_be_in_the_next_year(
    agent_client: AsyncClient, inbox: Inbox, chat: str, fields: dict[str, str], words: str
) -> None:
    sent = await agent_client.post(inbox(chat, "snooze"), fields, headers=HTML)
    assert sent.status_code == 422
    assert words in sent.content.decode()
    assert not await HandledChat.objects.aexists()


async def test_a_time_is_in_the_zone_of_the_team_member(
    agent_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    until = timezone.localtime() + timedelta(days=2)
    sent = await agent_client.post(inbox(chat, "snooze"), {"until": f"{until:%Y-%m-%dT%H:%M}"})
    assert sent.status_code == 302
    row = await HandledChat.objects.aget()
    assert row.snoozed_until == until.replace(second=0, microsecond=0)


async def test_a_chat_that_a_colleague_answers_is_not_closed(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await alice_client.post(inbox(chat, "takeover"))
    sent = await agent_client.post(inbox(chat, "closing"), follow=True)  # type: ignore[call-overload]
    assert "Another staff member is handling this chat." in sent.content.decode()
    await alice_client.post(inbox(chat, "closing"))
    assert await lists_of(agent_client, inbox, chat) == ["closed", "all"]
    assert not await sync_to_async(takeover.current)((await Conversation.objects.aget()).pk)


async def test_an_assigned_chat_is_the_colleagues_and_the_note_is_for_the_team_only(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    fields = {"assignee": (await agnes()).pk, "note": "Please <b>call</b> them."}
    assert (await alice_client.post(inbox(chat, "assignment"), fields)).status_code == 302
    assert "mine" in await lists_of(agent_client, inbox, chat)
    assert (await handling(alice_client, inbox, chat))[1] == "Assigned to Agnes"
    assert "Please &lt;b&gt;call&lt;/b&gt; them." in await text_of(agent_client, inbox(chat))
    assert (await StaffNote.objects.aget()).is_of_team
    assert "call" not in str((await vera.get(f"conversations/{chat}")).json())
    await deliver()
    assert [each.to for each in mail.outbox] == [["agnes@example.org"]]
    assert "A chat was assigned to you." in mail.outbox[0].body
    assert "call" not in mail.outbox[0].body
    action = await StaffAction.objects.alast()
    assert action
    assert (action.kind, action.detail) == ("chat_assigned", str((await agnes()).pk))
    await alice_client.post(inbox(chat, "assignment"), {"assignee": ""})
    assert "mine" not in await lists_of(agent_client, inbox, chat)


async def test_who_passes_a_chat_on_while_answering_lets_the_colleague_answer(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, vera: Visiting
) -> None:
    await alice_client.post(inbox(chat, "takeover"))
    await alice_client.post(inbox(chat, "assignment"), {"assignee": (await agnes()).pk})
    news = (await agent_client.get(inbox(chat) + "updates/")).json()
    assert news["holder"] == "own"
    assert (await alice_client.get(inbox(chat) + "updates/")).json()["holder"] == "other"
    assert (await vera.get(f"conversations/{chat}/person")).json()["person"]
    ended = [each.ended_by async for each in Takeover.objects.order_by("id")]
    assert ended == ["transferred", ""]


async def test_one_cannot_assign_to_somebody_outside_the_team_nor_take_a_colleagues_takeover(
    agent_client: AsyncClient, alice_client: AsyncClient, bob: User, inbox: Inbox, chat: str
) -> None:
    sent = await agent_client.post(inbox(chat, "assignment"), {"assignee": bob.pk}, headers=HTML)
    assert sent.status_code == 422
    assert not await HandledChat.objects.aexists()
    await alice_client.post(inbox(chat, "takeover"))
    await agent_client.post(inbox(chat, "assignment"), {"assignee": (await agnes()).pk})
    assert (await agent_client.get(inbox(chat) + "updates/")).json()["holder"] == "other"


async def test_a_site_without_emails_mails_no_assignment(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    await WidgetSite.objects.filter(pk=shop.pk).aupdate(notifies_by_mail=False)
    await alice_client.post(inbox(chat, "assignment"), {"assignee": (await agnes()).pk})
    await deliver()
    assert mail.outbox == []


@pytest.mark.parametrize("part", ["assignment", "snooze", "closing", "reopening"])
async def test_strangers_change_nothing(
    bob_client: AsyncClient, inbox: Inbox, chat: str, part: str
) -> None:
    sent = await bob_client.post(inbox(chat, part), {"hours": "1"})
    assert sent.status_code == 404
    assert not await HandledChat.objects.aexists()


async def test_the_lists_say_how_many_and_rows_say_whose(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str
) -> None:
    await alice_client.post(inbox(chat, "assignment"), {"assignee": (await agnes()).pk})
    page = " ".join((await text_of(agent_client, inbox())).split())
    assert "Open chats (1)" in page
    assert "Mine (1)" in page
    assert "Assigned to <bdi>Agnes</bdi>" in page
    waiting = (await agent_client.get(inbox("waiting"))).json()
    assert waiting == {"waiting": 0, "mine": 1}


async def test_who_leaves_the_team_has_no_chats_any_more(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    await alice_client.post(inbox(chat, "assignment"), {"assignee": (await agnes()).pk})
    member = await shop.team.select_related("site").aget()
    await sync_to_async(remove_member)(member)
    assert (await HandledChat.objects.aget()).assignee is None
    assert (await handling(alice_client, inbox, chat))[1] == ""
