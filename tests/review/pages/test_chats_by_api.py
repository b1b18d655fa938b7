"""Staff see which conversations a program made with a key."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from tests.support.api.api_client import new_api_client
from tests.support.review.conversations import new_conversation
from tests.support.review.reason_for_access import begin, page

MARK = ">With an API key</span>"
SENT = "Sent by the program."


@pytest.mark.parametrize("is_by_api", [True, False])
async def test_the_list_and_the_page_say_so(
    reviewer_client: AsyncClient, alice: User, is_by_api: bool
) -> None:
    key = (await new_api_client(alice)).key
    chat, answer = await new_conversation(alice, "Rivers?")
    chat.api_key = key.pk if is_by_api else None
    await chat.asave()
    await Message.objects.filter(pk=answer.pk).aupdate(is_imported=True)
    await begin(reviewer_client)
    assert (MARK in await page(reviewer_client, "/review/")) == is_by_api
    shown = await page(reviewer_client, f"/review/{chat.pk}/")
    assert (key.prefix in shown) == is_by_api
    assert (SENT in shown) == is_by_api


async def test_the_list_can_be_limited_to_them(reviewer_client: AsyncClient, alice: User) -> None:
    chat, _ = await new_conversation(alice, "Where do rivers begin?")
    chat.api_key = (await new_api_client(alice)).key.pk
    await chat.asave()
    await new_conversation(alice, "Where do lakes end?")
    await begin(reviewer_client)
    shown = await page(reviewer_client, "/review/", api="on")
    assert "rivers" in shown
    assert "lakes" not in shown
    found = await page(reviewer_client, "/review/", api="on", q="where")
    assert f"/review/{chat.pk}/" in found
    assert "lakes" not in found
