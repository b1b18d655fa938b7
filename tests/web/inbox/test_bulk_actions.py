"""A team closes, opens, snoozes, assigns and labels several chats at once."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.inbox import labels
from chat.inbox.models import HandledChat
from chat.review.access_log.staff_actions import StaffAction
from chat.web.review.http import bulk_actions
from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.outbox import deliver
from tests.support.widget.visitor_client import Visiting, make_site, visit

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}
UNDO = "Undo</button>"


@pytest.fixture
async def chats(vera: Visiting, chat: str) -> list[str]:
    """Return two chats of one visitor."""
    sent = await vera.send("Do you repair paddles?")
    await read_stream(sent)
    return [chat, str(sent["X-Conversation-Id"])]


async def shown(client: AsyncClient, inbox: Inbox, which: str = "open") -> str:
    return (await client.get(inbox() + f"?show={which}", headers=HTML)).content.decode()


async def act(client: AsyncClient, inbox: Inbox, action: str, **sent: Any) -> str:
    """Press a button of the open list, as the page has it; return the page that follows."""
    _head, _name, rest = (await shown(client, inbox)).partition('name="seen_at" value="')
    fields = {"seen_at": rest.partition('"')[0], "action": action} | sent
    path = inbox("selection") + "?show=open"
    done = await client.post(path, fields, follow=True, headers=HTML)  # type: ignore[call-overload]
    assert done.redirect_chain[0][0] == inbox() + "?show=open"
    return " ".join(done.content.decode().split())


async def states() -> dict[str, str]:
    rows = HandledChat.objects.values_list("pk", "state")
    return {str(pk): state async for pk, state in rows}


async def test_several_chats_are_closed_and_each_is_on_record(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str]
) -> None:
    page = await act(agent_client, inbox, "close", chat=chats)
    assert "2 chats closed." in page
    assert await states() == dict.fromkeys(chats, "closed")
    actions = StaffAction.objects.filter(kind="chat_state_set", detail="closed")
    assert {str(each.conversation) async for each in actions} == set(chats)
    page = await act(agent_client, inbox, "reopen", chat=chats[:1])
    assert "1 chat opened." in page
    assert await states() == {chats[0]: "open", chats[1]: "closed"}


async def test_undo_opens_them_again_and_who_waited_for_a_person_waits_again(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], vera: Visiting
) -> None:
    await vera.post(f"conversations/{chats[0]}/person-request")
    page = await act(agent_client, inbox, "close", chat=chats)
    assert "2 chats closed at " in page
    assert UNDO in page
    assert inbox(chats[0]) not in await shown(agent_client, inbox, "waiting")
    page = await act(agent_client, inbox, "undo", chat=chats)
    assert "2 chats opened." in page
    assert UNDO not in page
    waiting = await shown(agent_client, inbox, "waiting")
    assert inbox(chats[0]) in waiting
    assert inbox(chats[1]) not in waiting


async def test_undo_is_offered_for_an_hour_to_who_closed_them(
    agent_client: AsyncClient,
    alice_client: AsyncClient,
    inbox: Inbox,
    chats: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert UNDO in await act(agent_client, inbox, "close", chat=chats)
    assert UNDO not in await shown(alice_client, inbox)
    monkeypatch.setattr(bulk_actions, "UNDO_SECONDS", 0.0)
    assert UNDO not in await shown(agent_client, inbox)


@pytest.mark.parametrize("action", ["close", "snooze"])
async def test_a_chat_whose_visitor_has_written_meanwhile_stays_open(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], vera: Visiting, action: str
) -> None:
    page = await shown(agent_client, inbox)
    seen_at = page.partition('name="seen_at" value="')[2].partition('"')[0]
    await read_stream(await vera.send("One more thing", chats[0]))
    done = await act(agent_client, inbox, action, chat=chats, hours=4, seen_at=seen_at)
    assert "1 chat unchanged: The visitor has written in the meantime." in done
    assert list(await states()) == [chats[1]]


async def test_a_visitor_who_asks_for_a_person_meanwhile_is_not_closed_either(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], vera: Visiting
) -> None:
    page = await shown(agent_client, inbox)
    seen_at = page.partition('name="seen_at" value="')[2].partition('"')[0]
    await vera.post(f"conversations/{chats[0]}/person-request")
    await act(agent_client, inbox, "close", chat=chats, seen_at=seen_at)
    assert inbox(chats[0]) in await shown(agent_client, inbox, "waiting")


async def test_a_chat_that_a_colleague_answers_is_left_and_the_others_are_closed(
    agent_client: AsyncClient, alice_client: AsyncClient, inbox: Inbox, chats: list[str]
) -> None:
    await alice_client.post(inbox(chats[0], "takeover"))
    page = await act(agent_client, inbox, "close", chat=chats)
    assert "1 chat closed. 1 chat unchanged: Another staff member is handling this chat." in page
    assert await states() == {chats[1]: "closed"}


async def test_chats_are_assigned_to_who_presses_the_button_and_nobody_is_mailed(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str]
) -> None:
    page = await act(agent_client, inbox, "assign", chat=chats)
    assert "2 chats assigned to you." in page
    agnes = await User.objects.aget(email="agnes@example.org")
    assert {each.assignee async for each in HandledChat.objects.all()} == {agnes.pk}
    await deliver()
    assert mail.outbox == []


async def test_chats_are_snoozed_and_get_a_label_beside_those_that_they_have(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], shop: WidgetSite
) -> None:
    order, urgent = [await sync_to_async(labels.add_label)(shop, name) for name in ("A", "B")]
    await agent_client.post(inbox(chats[0], "labels"), {"labels": [order.pk]})
    assert "2 chats labelled." in await act(
        agent_client, inbox, "label", chat=chats, label=urgent.pk
    )
    named = await sync_to_async(labels.labels_by_chat)([await id_of(each) for each in chats])
    assert sorted(map(sorted, named.values())) == [["A", "B"], ["B"]]
    assert "2 chats snoozed." in await act(agent_client, inbox, "snooze", chat=chats, hours=4)
    assert await states() == dict.fromkeys(chats, "snoozed")


async def id_of(chat: str) -> Any:
    return (await Conversation.objects.aget(pk=chat)).pk


#: Times that aren't within the years 1 to 9999 everywhere.
UNSTORABLE = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "9999-12-31T23:59"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"action": "close"}, "Select chats first."),
        ({"action": "close", "chat": "x"}, "Select chats first."),
        ({"action": "burn", "chat": str(uuid4())}, "This request isn&#x27;t valid."),
        ({"action": "label", "chat": str(uuid4())}, "This request isn&#x27;t valid."),
        ({"action": "close", "chat": str(uuid4()), "seen_at": "x"}, "This request isn&#x27;t"),
        *(
            ({"action": "close", "chat": str(uuid4()), "seen_at": at}, "This request isn&#x27;t")
            for at in UNSTORABLE
        ),
        ({"action": "close", "chat": [str(uuid4()) for _ in range(201)]}, "Select at most 200"),
    ],
)
async def test_what_is_not_valid_changes_nothing_and_keeps_the_selection(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], fields: Any, words: str
) -> None:
    sent = await agent_client.post(inbox("selection"), fields, headers=HTML)
    assert sent.status_code == 422
    assert words in sent.content.decode()
    assert not await HandledChat.objects.aexists()


async def test_selected_chats_stay_selected_after_an_error(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str]
) -> None:
    sent = await agent_client.post(inbox("selection"), {"chat": chats[0]}, headers=HTML)
    assert f'value="{chats[0]}" checked' in sent.content.decode()
    assert f'value="{chats[1]}" checked' not in sent.content.decode()


async def test_chats_and_labels_of_others_are_not_found(
    agent_client: AsyncClient, bob_client: AsyncClient, bob: User, inbox: Inbox, chats: list[str]
) -> None:
    elsewhere = await sync_to_async(make_site)(bob)
    sent = await (await visit(elsewhere)).send("Hello")
    await read_stream(sent)
    theirs = str(sent["X-Conversation-Id"])
    page = await act(agent_client, inbox, "close", chat=[theirs, str(uuid4()), chats[0]])
    assert "1 chat closed. 2 chats unchanged: Not found." in page
    assert await states() == {chats[0]: "closed"}
    label = await sync_to_async(labels.add_label)(elsewhere, "Theirs")
    sent = {"action": "label", "chat": chats, "label": label.pk}
    assert (await agent_client.post(inbox("selection"), sent)).status_code == 422
    assert not await label.chats.aexists()
    stranger = await bob_client.post(inbox("selection"), {"action": "reopen", "chat": chats})
    assert stranger.status_code == 404
    assert await states() == {chats[0]: "closed"}


@pytest.mark.parametrize("until", UNSTORABLE)
async def test_a_chat_is_not_snoozed_until_a_time_that_cannot_be_stored(
    agent_client: AsyncClient, inbox: Inbox, chats: list[str], until: str
) -> None:
    sent = await agent_client.post(inbox(chats[0], "snooze"), {"hours": "", "until": until})
    assert sent.status_code < 500
    assert not await HandledChat.objects.aexists()
