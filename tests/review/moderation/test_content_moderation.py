"""Staff hide a message or close a chat: the owner is told, nothing leaks, and it can be undone."""

import asyncio
import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, RedactedText
from chat.errors import NotFound
from chat.generations.deletion import turn_deletion
from chat.generations.models import Generation
from chat.review import access
from chat.review.access_log.authority import InsufficientRole
from chat.review.moderation import content
from chat.sharing import links
from chat.sharing.models import SharedLink
from tests.review.conftest import only_message, recorded_actions, say, staff_context_of
from tests.support.database.bulk_steps import run_steps
from tests.support.generations.follow import endless
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, written
from tests.support.web.access_matrix import ALL
from tests.support.web.signed_in import signed_in_client

SENTINEL, HIDDEN = "zephyrquartz", "Staff hid this message."


@pytest.fixture
def chat(alice: User) -> Conversation:
    """Create alice's chat, with the sentinel in question, answer and title."""
    made = say(alice, f"{SENTINEL} asked", f"{SENTINEL} answered")
    Message.objects.filter(conversation=made).update(reasoning=f"{SENTINEL} thought")
    return made


def hide_all(user: User, chat: Conversation) -> None:
    for message in chat.messages.all():
        content.hide(staff_context_of(user), chat.pk, message.pk)


def show_all(user: User, chat: Conversation) -> None:
    for message in chat.messages.all():
        content.show(staff_context_of(user), chat.pk, message.pk)


def kinds() -> list[str]:
    return list(recorded_actions().order_by("id").values_list("kind", flat=True))


def test_hiding_and_showing_are_recorded_once(chat: Conversation, reviewer: User) -> None:
    message, look = only_message(chat), staff_context_of(reviewer, "Report 7 of May")
    content.hide(look, chat.pk, message.pk)
    content.hide(look, chat.pk, message.pk)
    row = recorded_actions().get()
    assert (row.kind, row.reason, row.message) == ("hidden", "Report 7 of May", message.pk)
    assert (row.person, row.conversation) == (chat.owner_id, chat.pk)
    content.show(look, chat.pk, message.pk)
    content.show(look, chat.pk, message.pk)
    assert kinds() == ["hidden", "shown"]


def test_showing_a_hidden_message_restores_everything(chat: Conversation, reviewer: User) -> None:
    before = list(Message.objects.order_by("id").values())
    link = links.make(chat, links.Choices(with_reasoning=True))
    hide_all(reviewer, chat)
    assert {each.text + each.reasoning for each in chat.messages.all()} == {""}
    assert SENTINEL not in json.dumps(SharedLink.objects.values_list("turns", "title")[0])
    assert Conversation.objects.get().title == ""
    show_all(reviewer, chat)
    assert list(Message.objects.order_by("id").values()) == before
    assert SharedLink.objects.get().turns == link.turns
    assert SharedLink.objects.get().title == Conversation.objects.get().title == chat.title
    assert not RedactedText.objects.exists()


def test_a_title_set_by_the_owner_is_not_hidden(chat: Conversation, reviewer: User) -> None:
    Conversation.objects.update(title="Quartz for school")
    hide_all(reviewer, chat)
    assert Conversation.objects.get().title == "Quartz for school"


def test_copies_in_branched_off_chats_are_hidden_too(
    chat: Conversation, alice: User, reviewer: User
) -> None:
    early = run_steps(turn_deletion.branch_off(alice.pk, chat.pk, chat.messages.last().pk))
    hide_all(reviewer, chat)
    late = run_steps(turn_deletion.branch_off(alice.pk, chat.pk, chat.messages.last().pk))
    assert not Message.objects.exclude(text="", reasoning="").exists()
    assert not Conversation.objects.filter(title__contains=SENTINEL).exists()
    show_all(reviewer, chat)
    for each in (chat, early, late):
        said = list(each.messages.order_by("id").values_list("text", flat=True))
        assert said == [f"{SENTINEL} asked", f"{SENTINEL} answered"]
    assert not Message.objects.filter(hidden_at__isnull=False).exists()


PLACES = {
    "{conversation}": lambda chat: str(chat.pk),
    "{message}": lambda chat: str(chat.messages.last().pk),
    "{generation}": lambda chat: str(Generation.objects.first().pk),
    "{link}": lambda chat: str(SharedLink.objects.get().pk),
    "{token}": lambda chat: SharedLink.objects.get().token,
}


def paths_of(chat: Conversation) -> list[str]:
    """Return all of alice's paths, including those with a query."""
    found = []
    for route in ALL:
        if route.startswith(("admin/", "review/", "accounts/")):
            continue
        for name, value in PLACES.items():
            if name in route:
                route = route.replace(name, value(chat))
        for kind in ("md", "json"):
            found.append("/" + route.replace("{kind}", kind).replace("{key}", "send-key"))
    for message in chat.messages.all():
        found += [f"/chat/{chat.pk}/?{name}={message.pk}" for name in ("at", "before")]
    found += [f"/chat/search/?q={word}" for word in ("answered", "asked")]
    return [path for path in dict.fromkeys(found) if "{" not in path]


async def content_of(response: Any) -> bytes:
    """Return the content of a response, unpacking zip files."""
    if not response.streaming:
        return bytes(response.content)
    body = b"".join([each async for each in response.streaming_content])
    if not body.startswith(b"PK"):
        return body
    with ZipFile(BytesIO(body)) as file:
        return b"".join(name.encode() + file.read(name) for name in file.namelist())


async def shown_to(client: AsyncClient, chat: Conversation, paths: list[str]) -> set[str]:
    """Return the paths that show alice the sentinel, as a page or as JSON."""
    found = set()
    for path in paths:
        for accept in ("text/html", "application/json") if str(chat.pk) in path else ("text/html",):
            cache.clear()  # nobody is throttled here
            response = await client.get(path, headers={"accept": accept})
            if SENTINEL.encode() in await content_of(response):
                found.add(f"{path} {accept}")
    return found


async def test_the_owner_sees_the_hidden_text_nowhere(
    chat: Conversation, alice_client: AsyncClient, reviewer: User
) -> None:
    link = await sync_to_async(links.make)(chat, links.Choices(with_reasoning=True))
    paths = await sync_to_async(paths_of)(chat)
    answer = await sync_to_async(chat.messages.last)()
    certain = [
        f"/chat/{chat.pk}/", f"/chat/{chat.pk}/export.md", f"/chat/{chat.pk}/export.json", "/shared/",
        "/settings/export.zip", f"/s/{link.token}/", "/chat/search/?q=answered", "/chat/sidebar/",
        f"/chat/{chat.pk}/messages/{answer.pk}",
    ]  # fmt: skip
    assert set(certain) <= set(paths)
    shown = await shown_to(alice_client, chat, certain)
    assert {each.split()[0] for each in shown} == set(certain)  # else the test could not fail
    await sync_to_async(hide_all)(reviewer, chat)
    assert await shown_to(alice_client, chat, paths) == set()
    page = (await alice_client.get(f"/chat/{chat.pk}/")).content.decode()
    assert page.count(HIDDEN) == 2
    exported = await content_of(await alice_client.get(f"/chat/{chat.pk}/export.md"))
    assert HIDDEN in exported.decode()
    shared = (await alice_client.get(f"/s/{link.token}/")).content.decode()
    assert shared.count(HIDDEN) == 2


async def test_staff_see_the_text_marked_as_hidden(
    chat: Conversation, reviewer: User, stop_server_process: None
) -> None:
    await sync_to_async(hide_all)(reviewer, chat)
    staff = await sync_to_async(signed_in_client)(reviewer)
    await staff.post("/review/reason/", {"reason": "A report of today"})
    shown = (await staff.get(f"/review/{chat.pk}/")).content.decode()
    assert f"{SENTINEL} asked" in shown
    assert f"{SENTINEL} answered" in shown
    assert shown.count("Hidden by staff") == 2


async def test_the_model_does_not_get_the_hidden_text(
    alice_client: AsyncClient, reviewer: User
) -> None:
    answers = always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))
    async with site_with(answers) as raw:
        first = await send(alice_client, text=SENTINEL)
        await read_stream(first)
        chat = await Conversation.objects.aget()
        question = await sync_to_async(only_message)(chat)
        await sync_to_async(content.hide)(look_of_now(reviewer), chat.pk, question.pk)
        await read_stream(await send(alice_client, chat.pk, text="And then?"))
        assert SENTINEL.encode() in raw.requests[0]
        assert SENTINEL.encode() not in raw.requests[1]
        for wanted in ("retry", "resume"):
            answer = int(first["X-Message-Id"])
            if wanted == "resume":
                await sync_to_async(content.hide)(look_of_now(reviewer), chat.pk, answer)
            refused = await send(alice_client, chat.pk, **{wanted: answer})
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "message_hidden")


def look_of_now(user: User) -> Any:
    return LOOKS[user.pk]


LOOKS: dict[int, Any] = {}


@pytest.fixture(autouse=True)
def _looks(reviewer: User) -> None:
    """Store the reviewer's context for asynchronous tests."""
    LOOKS[reviewer.pk] = staff_context_of(reviewer)


async def test_an_answer_hidden_while_it_runs_stays_hidden(
    alice_client: AsyncClient, reviewer: User
) -> None:
    async with site_with(endless()) as raw:
        response = await send(alice_client, text="Go")
        reading = asyncio.create_task(read_stream(response))
        await written(response)
        chat, answer = await Conversation.objects.aget(), int(response["X-Message-Id"])
        await sync_to_async(content.hide)(look_of_now(reviewer), chat.pk, answer)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
            stream = await reading
    assert stream.key("state") == "stopped"
    message = await Message.objects.aget(pk=answer)
    hidden = await RedactedText.objects.aget(message=answer)
    assert (message.text, message.reasoning) == ("", "")
    assert hidden.text.startswith(stream.text[:20])
    followed = await alice_client.get(f"/generations/{response['X-Generation-Id']}/stream")
    assert followed.status_code == 404
    await sync_to_async(content.show)(look_of_now(reviewer), chat.pk, answer)
    assert (await Message.objects.aget(pk=answer)).text == hidden.text


async def test_a_closed_chat_can_be_read_but_not_continued(
    alice_client: AsyncClient, reviewer: User
) -> None:
    async with site_with(endless()) as raw:
        response = await send(alice_client, text="Go")
        reading = asyncio.create_task(read_stream(response))
        await written(response)
        chat = await Conversation.objects.aget()
        await sync_to_async(content.close)(look_of_now(reviewer), chat.pk)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await raw.closed.wait()
            assert (await reading).key("state") == "stopped"
    page = (await alice_client.get(f"/chat/{chat.pk}/")).content.decode()
    assert "Staff closed this chat" in page
    for body in ({"text": "More"}, {"retry": int(response["X-Message-Id"])}):
        refused = await send(alice_client, chat.pk, **body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "chat_closed")
    branch = await alice_client.post(f"/chat/{chat.pk}/messages/{response['X-Message-Id']}/branch")
    assert branch.status_code == 403
    await sync_to_async(content.reopen)(look_of_now(reviewer), chat.pk)
    answers = always(stream_of(b'data: {"response":"Aye"}\n\n', DONE))
    async with site_with(answers):
        assert (await read_stream(await send(alice_client, chat.pk, text="More"))).text == "Aye"
    assert await sync_to_async(kinds)() == ["closed", "reopened"]


@pytest.mark.parametrize("act", [content.hide, content.show, content.close, content.reopen])
def test_chats_out_of_scope_cannot_be_moderated(reviewer: User, bob: User, act: Any) -> None:
    his = say(bob, "Lakes")
    more = [only_message(his).pk] if act in (content.hide, content.show) else []
    with pytest.raises(NotFound):
        act(staff_context_of(reviewer), his.pk, *more)
    assert kinds() == []


def test_nobody_moderates_themselves_or_an_administrator(lead: User, administrator: User) -> None:
    for whose in (lead, administrator):
        with pytest.raises(InsufficientRole):
            content.close(staff_context_of(lead), say(whose, "Rivers").pk)
    assert not kinds()


async def test_an_action_needs_a_reason(
    chat: Conversation, reviewer: User, settings: Any, stop_server_process: None
) -> None:
    settings.REVIEW_REASON_MINUTES = 0
    staff = await sync_to_async(signed_in_client)(reviewer)
    await staff.post(f"/review/{chat.pk}/closure/", {"reason": " "})
    assert not await recorded_actions().aexists()
    await staff.post(f"/review/{chat.pk}/closure/", {"reason": "It is spam"})
    assert (await recorded_actions().aget()).reason == "It is spam"
    assert await sync_to_async(access.exists)(look_of_now(reviewer), chat.pk)
