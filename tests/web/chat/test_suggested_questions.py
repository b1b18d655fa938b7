"""Where suggested questions are hidden, exported and shown without scripts."""

import html
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.generations.follow_ups import follow_up_writer
from tests.support.generations.follow_ups import SUGGESTED, ask, suggest_questions, suggestions
from tests.support.web.form_requests import FORM, HTML


@pytest.fixture
async def _suggesting(settings: Any, transactional_db: None) -> None:
    settings.TITLE_MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
    await suggest_questions()


@pytest.mark.usefixtures("_suggesting")
async def test_a_member_hides_them_where_the_site_has_them(
    alice: User, alice_client: AsyncClient
) -> None:
    assert "Suggested questions" in (await alice_client.get("/settings/")).content.decode()
    response = await ask(alice_client)
    await alice_client.post("/settings/", {"follow_ups": "hide"})
    assert await suggestions(alice_client, response) == [[], []]
    await ask(alice_client, "And lakes?", conversation=response["X-Conversation-Id"])
    assert await Message.objects.exclude(follow_ups=None).acount() == 1
    await suggest_questions(are_on=False)
    assert "Suggested questions" not in (await alice_client.get("/settings/")).content.decode()
    await alice_client.post("/settings/", {"theme": "dark"})
    await alice.arefresh_from_db()
    assert alice.preferences["follow_ups"] == "hide"


@pytest.mark.usefixtures("_suggesting")
async def test_without_scripts_a_form_asks_one(alice_client: AsyncClient) -> None:
    response = await ask(alice_client)
    await Message.objects.filter(role="assistant").aupdate(follow_ups=["<b>What</b> else?"])
    path = f"/chat/{response['X-Conversation-Id']}/"
    page = (await alice_client.get(path)).content.decode()
    form = page.partition('aria-label="Suggested questions"')[2].partition("</form>")[0]
    assert (
        f'<button class="button" name="message" value="{html.escape("<b>What</b> else?")}"' in form
    )
    assert "<b>What" not in page
    sent = {"key": "k" * 32, "parent": response["X-Message-Id"], "message": SUGGESTED[0]}
    asked = await alice_client.post(
        f"{path}messages", urlencode(sent), content_type=FORM, headers=HTML
    )
    assert asked.status_code == 303
    question = await Message.objects.filter(role="user").alatest("pk")
    assert (question.text, question.parent_id) == (SUGGESTED[0], int(response["X-Message-Id"]))
    await follow_up_writer.until_written()


@pytest.mark.usefixtures("_suggesting")
async def test_they_are_exported_with_their_answer(alice_client: AsyncClient) -> None:
    response = await ask(alice_client)
    exported = await alice_client.get(f"/chat/{response['X-Conversation-Id']}/export.json")
    body = b"".join([part async for part in exported.streaming_content])
    messages = json.loads(body)["messages"]
    assert [each.get("follow_ups") for each in messages] == [None, SUGGESTED]


@pytest.mark.usefixtures("_suggesting")
async def test_a_copy_and_a_shared_link_have_none(alice_client: AsyncClient) -> None:
    response = await ask(alice_client)
    path = f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Message-Id']}"
    copied = await alice_client.post(f"{path}/branch")
    assert copied.status_code == 201
    copies = Message.objects.filter(conversation=json.loads(copied.content)["conversation"])
    assert [each.follow_ups async for each in copies] == [None, None]
