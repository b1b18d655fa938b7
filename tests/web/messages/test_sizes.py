"""Size limits of messages and conversations, and their error messages."""

from django.test import AsyncClient
from pytest_django import Settings

from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask


async def test_a_message_may_have_the_maximum_length(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_CHARS = 2000
    assert (await read_stream(await send(alice_client, text="é" * 2000))).done
    for refused in (
        await send(alice_client, text="é" * 2001),
        await ask(alice_client, {"prompt": "é" * 2001}),
    ):
        assert refused.status_code == 413
        error = refused.json()["error"]
        assert error["code"] == "message_too_long"
        assert "2,001 characters. The limit is 2,000" in error["message"]
        assert not error["retryable"]


async def test_numbers_in_the_message_use_the_readers_format(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_CHARS = 2000
    alice_client.headers = {"Accept-Language": "de"}  # type: ignore[attr-defined]
    response = await alice_client.post(
        "/chat/messages",
        {"key": "k" * 32, "text": "x" * 2001},
        content_type="application/json",
        headers={"Accept-Language": "de"},
    )
    assert "2.001" in response.json()["error"]["message"]


async def test_long_answers_in_the_history_do_not_count_as_long_messages(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_MESSAGE_CHARS = 100
    turns = [
        {"role": "user", "content": "Tell me."},
        {"role": "assistant", "content": "word " * 500},
        {"role": "user", "content": "And?"},
    ]
    assert (await read_stream(await ask(alice_client, {"messages": turns}))).done


async def test_a_full_conversation_suggests_starting_another(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_CONVERSATION_MESSAGES = 3
    first = await send(alice_client, text="One")
    await read_stream(first)
    place, answer = first["X-Conversation-Id"], int(first["X-Message-Id"])
    full = await send(alice_client, place, text="Two")
    assert full.status_code == 413
    error = full.json()["error"]
    assert error["code"] == "conversation_full"
    assert "limit of 3 messages. Start a new chat" in error["message"]
    assert (await read_stream(await send(alice_client, place, retry=answer))).done
    assert (await send(alice_client, place, retry=answer)).status_code == 413
    assert (await alice_client.get(f"/chat/{place}/")).status_code == 200
    assert (await read_stream(await send(alice_client, text="Elsewhere"))).done


async def test_a_temporary_conversation_has_the_same_limit(
    alice_client: AsyncClient, settings: Settings
) -> None:
    settings.MAX_CONVERSATION_MESSAGES = 2
    turns = [{"role": "user", "content": str(number)} for number in range(3)]
    assert (await ask(alice_client, {"messages": turns})).status_code == 413
    assert (await read_stream(await ask(alice_client, {"messages": turns[:2]}))).done
