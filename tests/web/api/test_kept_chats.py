"""A key can keep its calls as chats of the member."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.generations.models import Generation
from chat.generations.send import program_calls
from tests.support.api.api_client import (
    GEMMA,
    HELLO,
    LOOK_UP,
    MODEL,
    ApiClient,
    events_of,
    new_api_client,
)
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_text

CHATS = "/v1/chat/completions"


@pytest.fixture
async def keeping(alice: User, stop_server_process: None) -> ApiClient:
    """Return a program whose key keeps chats."""
    return await new_api_client(alice, keeps_chats=True)


@sync_to_async
def chats() -> list[list[tuple[str, str]]]:
    """Return the texts of each chat, in order."""
    return [
        list(each.messages.values_list("role", "text"))
        for each in Conversation.objects.order_by("created_at")
    ]


async def answer_of(program: ApiClient, messages: list[Any], **options: Any) -> dict[str, Any]:
    response = await program.post(CHATS, {"model": MODEL, "messages": messages, **options})
    assert response.status_code == 200, response.content
    return dict(response.json()["choices"][0]["message"])


def asking(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


async def test_calls_are_not_kept_unless_the_key_says_so(program: ApiClient) -> None:
    assert (await program.complete()).status_code == 200
    assert await chats() == []


async def test_a_call_is_kept_as_a_chat_with_its_figures(keeping: ApiClient) -> None:
    answer = await answer_of(keeping, [{"role": "system", "content": "Be brief."}, asking("Hello")])
    assert await chats() == [[("user", "Hello"), ("assistant", answer["content"])]]
    chat = await Conversation.objects.aget()
    assert (chat.title, chat.api_key) == ("Hello", keeping.key.pk)
    assert chat.generation_settings["system_prompt"] == "Be brief."
    made = await Generation.objects.aget()
    assert (made.state, made.model) == ("complete", MODEL)
    assert made.total_tokens
    assert made.cost_usd


async def test_a_streamed_answer_is_kept(keeping: ApiClient) -> None:
    await events_of(await keeping.complete(stream=True))
    ((_asked, (_role, text)),) = await chats()
    assert "“Hello”" in text


async def test_a_call_that_repeats_the_history_continues_the_chat(keeping: ApiClient) -> None:
    messages: list[Any] = [asking("Hello")]
    for text in ("And then?", "Thank you"):
        messages += [await answer_of(keeping, messages), asking(text)]
    await answer_of(keeping, [{"role": "system", "content": "It is noon."}, *messages])
    (chat,) = await chats()
    assert [text for role, text in chat if role == "user"] == ["Hello", "And then?", "Thank you"]
    assert len(chat) == 6


async def test_the_same_history_can_be_continued_twice(keeping: ApiClient) -> None:
    messages = [asking("Hello"), await answer_of(keeping, [asking("Hello")])]
    for _ in range(2):
        await answer_of(keeping, [*messages, asking("And then?")])
    chat = await Conversation.objects.aget()
    parents = [each.parent_id async for each in chat.messages.filter(text="And then?")]
    assert len(parents) == 2
    assert len(set(parents)) == 1


@pytest.mark.parametrize("change", ["text", "key", "deleted", "closed"])
async def test_another_history_begins_a_new_chat(
    keeping: ApiClient, alice: User, change: str
) -> None:
    answer = await answer_of(keeping, [asking("Hello")])
    if change == "text":
        answer["content"] += " Or not."
    elif change == "key":
        keeping = await new_api_client(alice, keeps_chats=True)
    elif change == "deleted":
        await Conversation.objects.aupdate(purge_after=timezone.now())
    else:
        await Conversation.objects.aupdate(closed_at=timezone.now())
    await answer_of(keeping, [asking("Hello"), answer, asking("And then?")])
    assert len((await chats())[-1]) == 4
    assert await Conversation.all_objects.acount() == 2


async def test_answers_that_the_program_sent_are_marked_as_unverified(keeping: ApiClient) -> None:
    sent = {"role": "assistant", "content": "I promise you a refund."}
    await answer_of(keeping, [asking("Hello"), sent, asking("Really?")])
    found = Message.objects.order_by("pk").values_list("is_imported", flat=True)
    assert [each async for each in found] == [False, True, False, False]


async def test_tool_calls_and_their_results_are_kept_and_continued(keeping: ApiClient) -> None:
    messages: list[Any] = [asking("/tool the level")]
    first = await answer_of(keeping, messages, model=GEMMA, tools=[LOOK_UP])
    call = first["tool_calls"][0]
    call["function"]["arguments"] = '{"query":"the level"}'  # written anew by the client
    messages += [first, {"role": "tool", "tool_call_id": call["id"], "content": "4.2 m"}]
    last = await answer_of(keeping, messages, model=GEMMA, tools=[LOOK_UP])
    ((asked, called, result, answered),) = await chats()
    assert asked == ("user", "/tool the level")
    assert "Call of `look_up`" in called[1]
    assert '{"query": "the level"}' in called[1]
    assert result == ("user", "Result of look_up:\n4.2 m")
    assert answered == ("assistant", last["content"])


async def test_the_other_formats_are_kept_too(keeping: ApiClient) -> None:
    given: list[Any] = [asking("Hello")]
    first = (await keeping.post("/v1/responses", {"model": MODEL, "input": given})).json()
    given += [*first["output"], asking("And then?")]
    await keeping.post("/v1/responses", {"model": MODEL, "input": given})
    await keeping.post(f"/client/v4/accounts/a/ai/run/{MODEL}", {"prompt": "Hello"})
    assert [len(each) for each in await chats()] == [4, 2]


async def test_completed_text_is_not_a_chat(keeping: ApiClient) -> None:
    response = await keeping.post("/v1/completions", {"model": MODEL, "prompt": "def add("})
    assert response.status_code == 200
    assert await chats() == []


async def test_a_failed_call_is_not_kept_and_a_broken_one_is(keeping: ApiClient) -> None:
    assert (await keeping.complete("/error 502")).status_code == 502
    assert await chats() == []
    await events_of(await keeping.complete("/cut 3", stream=True))
    assert (await Generation.objects.aget()).state == "interrupted"


async def test_a_member_without_storage_is_told(keeping: ApiClient, settings: Settings) -> None:
    settings.MAX_MEMBER_BYTES = 10
    storage.forget_budgets()
    response = await keeping.complete()
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "storage_full"
    assert await chats() == []


async def test_the_member_sees_it_in_the_sidebar_and_can_go_on(
    keeping: ApiClient, alice_client: AsyncClient
) -> None:
    await keeping.post(CHATS, HELLO)
    chat = await Conversation.objects.aget()
    shown = (await alice_client.get(f"/chat/{chat.pk}/")).content.decode()
    assert 'class="entry-label"' in shown
    await read_text(await send(alice_client, chat.pk, text="And then?"))
    assert [role for role, _text in (await chats())[0]] == ["user", "assistant"] * 2


async def test_nobody_else_sees_it(keeping: ApiClient, bob_client: AsyncClient) -> None:
    await keeping.post(CHATS, HELLO)
    chat = await Conversation.objects.aget()
    assert (await bob_client.get(f"/chat/{chat.pk}/")).status_code == 404


async def test_calls_at_once_continue_the_same_chat(keeping: ApiClient) -> None:
    messages = [asking("Hello"), await answer_of(keeping, [asking("Hello")])]
    await asyncio.gather(*(answer_of(keeping, [*messages, asking(f"And {n}?")]) for n in range(5)))
    chat = await Conversation.objects.aget()
    assert await chat.messages.acount() == 12


async def test_a_history_that_begins_or_ends_with_an_answer_is_kept(keeping: ApiClient) -> None:
    greeting = {"role": "assistant", "content": "How can I help?"}
    await answer_of(keeping, [greeting, asking("Hello"), {**greeting, "content": "Well,"}])
    ((*history, _answer),) = await chats()
    assert [text for _role, text in history] == ["", "How can I help?", "Hello", "Well,", ""]
    assert (await Conversation.objects.aget()).title == "How can I help?"


async def test_a_database_error_does_not_fail_the_call(
    keeping: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: Any) -> None:
        raise OperationalError

    monkeypatch.setattr(program_calls, "_store", fails)
    assert "“Hello”" in (await answer_of(keeping, [asking("Hello")]))["content"]
    assert await chats() == []


async def test_a_chat_without_room_is_not_continued(keeping: ApiClient, settings: Settings) -> None:
    answer = await answer_of(keeping, [asking("Hello")])
    for text in ("And then?", "Or not?"):
        settings.MAX_CONVERSATION_MESSAGES = 4
        await answer_of(keeping, [asking("Hello"), answer, asking(text)])
    assert [len(each) for each in await chats()] == [4, 4]
