"""A person decides about calls with effects: on any device, once, and nothing runs twice."""

import asyncio
from typing import Any

import pytest
from django.test import AsyncClient, override_settings

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.models import Message
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.models import Generation
from tests.support.generations.send import send
from tests.support.generations.stream_reader import Stream, read_stream

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
FACT = "I am a vegetarian"
HTMX = {"HX-Request": "true"}

DEEP = '{"text": ' + "[" * 9_000


async def propose(
    client: AsyncClient, text: str = f"Please remember that {FACT}"
) -> StoredToolCall:
    """Have the model propose to remember something; return the stored call."""
    response = await send(client, text=text, site_tools=["remember"], model=MODEL)
    await read_stream(response)
    return await StoredToolCall.objects.select_related("message").alatest("proposed_at")


def path(call: StoredToolCall) -> str:
    return f"/chat/tool-calls/{call.pk}"


async def decide(
    client: AsyncClient, call: StoredToolCall, is_allowed: bool = True, **more: Any
) -> Any:
    body = {"is_allowed": is_allowed, **more}
    return await client.post(f"{path(call)}/decision", body, content_type="application/json")


async def resume(client: AsyncClient, call: StoredToolCall) -> Stream:
    response = await send(client, call.message.conversation_id, resume=call.message_id)
    return await read_stream(response)


async def memories(user: User) -> str:
    await user.arefresh_from_db()
    return Preferences.of(user).memories


async def test_an_answer_ends_where_a_person_has_to_decide(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    assert (call.state, call.has_effects) == ("proposed", True)
    assert await memories(alice) == ""
    generation = await Generation.objects.aget()
    assert (generation.state, generation.finish_reason) == ("complete", "tool_calls")
    place = f"/chat/{call.message.conversation_id}/messages/{call.message_id}"
    (shown,) = (await alice_client.get(place)).json()["tools"]
    assert shown["state"] == "proposed"
    assert shown["title"] == f"Remember: {FACT}"


async def test_what_is_allowed_runs_and_the_answer_goes_on(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    response = await decide(alice_client, call)
    assert [each["state"] for each in response.json()["tools"]] == ["approved"]
    stream = await resume(alice_client, call)
    assert await memories(alice) == FACT
    assert "Kept for later chats" in stream.text
    await call.arefresh_from_db()
    assert (call.state, call.decided_by) == ("done", alice.pk)


async def test_what_is_refused_does_not_run_and_the_model_reads_why(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, False, words="Not that one")
    stream = await resume(alice_client, call)
    assert await memories(alice) == ""
    assert "Not that one" in stream.text


async def test_a_person_changes_the_arguments(alice: User, alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, arguments='{"text": "I eat no meat"}')
    await resume(alice_client, call)
    assert await memories(alice) == "I eat no meat"
    assert (await StoredToolCall.objects.aget()).is_edited


@pytest.mark.parametrize(
    "arguments", ["[]", "{", '{"text": 5, "more": ', '{"text": ""}', '{"text": " "}', "{}", DEEP]
)
async def test_arguments_that_do_not_fit_are_refused_in_words(
    alice: User, alice_client: AsyncClient, arguments: str
) -> None:
    call = await propose(alice_client)
    response = await decide(alice_client, call, arguments=arguments)
    assert response.status_code == 400
    assert "The tool can't be called like this" in response.json()["error"]["message"]
    assert (await StoredToolCall.objects.aget()).state == "proposed"


async def test_an_answer_does_not_go_on_before_somebody_has_decided(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    response = await send(alice_client, call.message.conversation_id, resume=call.message_id)
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "tool_call_undecided"


async def test_a_second_decision_is_refused(alice: User, alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    first, second = await asyncio.gather(
        decide(alice_client, call), decide(alice_client, call, False)
    )
    assert sorted([first.status_code, second.status_code]) == [200, 409]


async def test_two_devices_that_go_on_at_once_run_it_once(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call)
    chat = call.message.conversation_id
    responses = await asyncio.gather(
        *(send(alice_client, chat, resume=call.message_id) for _each in range(4))
    )
    streams = [await read_stream(each) for each in responses if each.status_code == 200]
    ended = [each["tool"]["id"] for stream in streams for each in stream.payloads if "tool" in each]
    assert ended == [str(call.pk)]
    assert await memories(alice) == FACT


@pytest.mark.parametrize("scope", ["chat", "always"])
async def test_a_tool_that_is_allowed_for_longer_is_not_asked_about(
    alice: User, alice_client: AsyncClient, scope: str
) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, scope=scope)
    await resume(alice_client, call)
    chat = call.message.conversation_id
    text = "Please remember that I live in Oslo"
    await read_stream(await send(alice_client, chat, text=text, model=MODEL))
    assert "I live in Oslo" in await memories(alice)
    # In another chat, only what is always allowed.
    again = await propose(alice_client, "Please remember that I ski")
    assert again.state == ("done" if scope == "always" else "proposed")


async def test_the_administrator_may_forbid_always(alice: User, alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, scope="always")
    with override_settings(TOOLS_ALWAYS_ALLOWED=False):
        again = await propose(alice_client)
        assert again.state == "proposed"
        response = await decide(alice_client, again, scope="always")
        assert response.status_code == 403
        assert "tools ask in each chat" in response.json()["error"]["message"]
        await again.arefresh_from_db()
        assert again.state == "proposed"
        page = (await alice_client.get("/settings/personalization/")).content.decode()
        assert "needn&#x27;t ask" not in page


async def test_a_refusal_changes_no_arguments(alice: User, alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, False, arguments='{"text": ""}')
    await call.arefresh_from_db()
    assert (call.state, call.is_edited, FACT in call.arguments) == ("refused", False, True)


async def test_nobody_is_asked_about_a_call_that_does_not_fit(alice_client: AsyncClient) -> None:
    call = await propose(alice_client, '/tool remember {"text": " "}')
    assert (call.state, call.problem) == ("failed", "arguments")


async def test_the_stream_says_that_a_person_has_allowed_a_call(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call)
    stream = await resume(alice_client, call)
    (step,) = (each["tool"] for each in stream.payloads if "tool" in each)
    assert (step["state"], step["was_allowed"]) == ("done", True)


async def test_a_tool_that_was_switched_off_meanwhile_says_so(alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call)
    with override_settings(TOOLS=["calculator"]):
        await resume(alice_client, call)
    await call.arefresh_from_db()
    assert (call.state, call.problem) == ("failed", "tool_off")


async def test_what_is_allowed_in_a_chat_is_listed_there_and_revoked(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call, scope="chat")
    await resume(alice_client, call)
    chat = call.message.conversation_id
    page = {"HX-Current-URL": f"http://testserver/chat/{chat}/"}
    revocation = f"/chat/{chat}/allowed-tools/revocation/"
    assert revocation in (await alice_client.get("/chat/tools/", headers=page)).content.decode()
    assert revocation in (await alice_client.get(f"/chat/{chat}/options/")).content.decode()
    assert (await bob_client.post(revocation, {"tool": "remember"})).status_code == 404
    response = await alice_client.post(revocation, {"tool": "remember"}, headers=HTMX)
    assert "asks again in this chat" in response.content.decode()
    assert revocation not in (await alice_client.get("/chat/tools/", headers=page)).content.decode()
    sent = await send(alice_client, chat, text="Please remember that I ski", model=MODEL)
    assert (await read_stream(sent)).key("tool")["state"] == "proposed"


async def test_what_was_running_in_a_dead_process_is_asked_about_again(
    alice: User, alice_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    await StoredToolCall.objects.aupdate(state="running")
    place = f"/chat/{call.message.conversation_id}/messages/{call.message_id}"
    (shown,) = (await alice_client.get(place)).json()["tools"]
    assert shown["state"] == "unknown"
    response = await send(alice_client, call.message.conversation_id, resume=call.message_id)
    assert response.status_code == 409
    await decide(alice_client, call, False)
    await resume(alice_client, call)
    assert await memories(alice) == ""


async def test_what_was_running_without_effects_has_failed(
    alice: User, alice_client: AsyncClient
) -> None:
    await read_stream(
        await send(alice_client, text="What is 12 * 12?", site_tools=["calculator"], model=MODEL)
    )
    call = await StoredToolCall.objects.select_related("message").aget()
    await StoredToolCall.objects.aupdate(state="running", result="")
    stream = await resume(alice_client, call)
    await call.arefresh_from_db()
    assert (call.state, call.problem) == ("failed", "interrupted")
    assert stream.key("state") == "complete"


async def test_a_stranger_sees_and_decides_nothing(
    alice: User, bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    call = await propose(alice_client)
    assert (await bob_client.get(path(call))).status_code == 404
    assert (await decide(bob_client, call)).status_code == 404
    assert await memories(alice) == ""


async def test_a_copy_of_a_chat_runs_nothing(alice: User, alice_client: AsyncClient) -> None:
    call = await propose(alice_client)
    await decide(alice_client, call)
    place = f"/chat/{call.message.conversation_id}/messages/{call.message_id}/branch"
    copied = (await alice_client.post(place)).json()["conversation"]
    answer = await Message.objects.aget(conversation=copied, role="assistant")
    twin = await answer.tool_calls.aget()  # type: ignore[attr-defined]
    assert (twin.state, twin.problem) == ("failed", "copied")
