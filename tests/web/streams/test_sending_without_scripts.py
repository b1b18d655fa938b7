"""The chat form without scripts: the question is stored, then the page is shown."""

import uuid
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import AsyncClient

from chat.conversations.models import Message
from chat.generations.models import Generation
from tests.support.generations.follow import endless
from tests.support.generations.send import key, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.web.form_requests import FORM, HTML


async def post(client: AsyncClient, conversation: Any = None, **fields: str) -> Any:
    path = f"/chat/{conversation}/messages" if conversation else "/chat/messages"
    form = {"key": key(), "message": "Why do rivers bend?", **fields}
    return await client.post(path, data=urlencode(form), content_type=FORM, headers=HTML)


async def finished(generation: Generation, client: AsyncClient) -> None:
    await read_stream(await client.get(f"/generations/{generation.pk}/stream"))


async def test_the_question_is_stored_and_the_page_shows_it(alice_client: AsyncClient) -> None:
    response = await post(alice_client, message="Why do\r\nrivers bend?")
    generation = await Generation.objects.select_related("message").aget()
    question = await Message.objects.aget(role="user")
    assert response.status_code == 303
    assert response["Location"] == f"/chat/{question.conversation_id}/"
    assert question.text == "Why do\nrivers bend?"
    await finished(generation, alice_client)
    page = (await alice_client.get(response["Location"])).content.decode()
    assert "emulator" in page
    assert "Refresh" not in page


async def test_while_an_answer_runs_the_page_offers_to_reload(
    alice_client: AsyncClient,
) -> None:
    async with site_with(endless()):
        response = await post(alice_client)
        page = (await alice_client.get(response["Location"])).content.decode()
    assert "Refresh</a>" in page


async def test_a_conversation_can_be_continued(alice_client: AsyncClient) -> None:
    first = await send(alice_client, text="One")
    await read_stream(first)
    conversation = first["X-Conversation-Id"]
    await post(alice_client, conversation, message="Two")
    second = await Message.objects.aget(text="Two")
    assert second.parent_id == int(first["X-Message-Id"])


async def test_a_form_submitted_twice_is_stored_once(alice_client: AsyncClient) -> None:
    again = key()
    first = await post(alice_client, key=again)
    second = await post(alice_client, key=again)
    assert (first.status_code, second.status_code) == (303, 303)
    assert first["Location"] == second["Location"]
    assert await Generation.objects.acount() == 1


@pytest.mark.parametrize("fields", [{"message": "  "}, {"key": ""}, {"model": "none"}])
async def test_a_message_that_cannot_be_sent_shows_a_page_with_the_reason(
    fields: dict[str, str], alice_client: AsyncClient
) -> None:
    response = await post(alice_client, **fields)
    assert response.status_code == 400
    assert response["Content-Type"].startswith("text/html")
    assert await Message.objects.acount() == 0


async def test_another_members_conversation_is_not_found(
    alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    first = await send(alice_client, text="One")
    await read_stream(first)
    assert (await post(bob_client, first["X-Conversation-Id"])).status_code == 404
    assert (await post(bob_client, uuid.uuid4())).status_code == 404


async def test_a_form_without_its_csrf_token_is_refused(alice_client: AsyncClient) -> None:
    strict = AsyncClient(enforce_csrf_checks=True)
    strict.cookies = alice_client.cookies
    response = await post(strict)
    assert response.status_code == 403
    assert await Message.objects.acount() == 0
