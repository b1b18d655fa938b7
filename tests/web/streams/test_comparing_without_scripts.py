"""Without scripts, one form asks both models, and forms below the answer decide between them."""

import re
from typing import Any
from urllib.parse import urlencode

from django.test import AsyncClient

from chat.conversations.models import Message
from chat.generations.models import Generation
from chat.generations.pairs.models import AnswerPair, PairVote
from chat.quotas.models import Limit
from tests.support.generations.compared import LLAMA, MISTRAL, allow_blind_comparison
from tests.support.generations.follow import endless
from tests.support.generations.send import key
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.web.form_requests import FORM, HTML


async def post(client: AsyncClient, path: str, **fields: str) -> Any:
    return await client.post(path, data=urlencode(fields), content_type=FORM, headers=HTML)


async def ask_both(client: AsyncClient, **fields: str) -> str:
    """Send the form, wait for both answers, and return the address of the chat."""
    form = {"key": key(), "message": "Hi", "model": LLAMA, "compare_with": MISTRAL, **fields}
    response = await post(client, "/chat/messages", **form)
    assert response.status_code == 303
    async for each in Generation.objects.all():
        await read_stream(await client.get(f"/generations/{each.pk}/stream"))
    return str(response["Location"])


async def shown(client: AsyncClient, path: str) -> str:
    return str((await client.get(path)).content.decode())


async def test_the_form_is_offered_by_a_page_of_its_own(alice_client: AsyncClient) -> None:
    assert 'href="?compare"' in await shown(alice_client, "/chat/")
    assert "compare_with" not in await shown(alice_client, "/chat/")
    assert 'name="compare_with"' in await shown(alice_client, "/chat/?compare")
    assert "is_blind" not in await shown(alice_client, "/chat/?compare")
    await allow_blind_comparison()
    assert 'name="is_blind"' in await shown(alice_client, "/chat/?compare")


async def test_both_answers_are_versions_and_one_is_chosen(alice_client: AsyncClient) -> None:
    path = await ask_both(alice_client)
    pair = await AnswerPair.objects.aget()
    page = await shown(alice_client, path)
    assert f"?at={pair.answer_a_id}" in page
    assert "Mistral Small" in page
    page = await shown(alice_client, f"{path}?at={pair.answer_a_id}")
    choice = re.search(r'action="(/chat/[^"]+/choice)"', page)
    assert choice
    response = await post(alice_client, choice[1], chosen="a")
    assert response.status_code == 303
    page = await shown(alice_client, path)
    assert f'id="m{pair.answer_a_id}"' in page
    assert f'name="parent" value="{pair.answer_a_id}"' in page


async def test_a_vote_is_a_form_and_shows_the_names(alice_client: AsyncClient) -> None:
    await allow_blind_comparison()
    path = await ask_both(alice_client, is_blind="on")
    page = await shown(alice_client, path)
    thread = page.partition('id="thread"')[2].partition('id="composer"')[0]
    assert "Both are good" in thread
    assert not re.search("llama|mistral", thread, re.IGNORECASE)
    action = re.search(r'action="(/chat/[^"]+/vote)"', page)
    assert action
    assert (await post(alice_client, action[1], verdict="nonsense")).status_code == 400
    assert (await post(alice_client, action[1], verdict="good")).status_code == 303
    assert (await PairVote.objects.aget()).verdict == "good"
    assert re.search("llama|mistral", await shown(alice_client, path), re.IGNORECASE)


async def test_a_second_answer_that_was_refused_can_be_asked_for(
    alice_client: AsyncClient,
) -> None:
    limit = await Limit.objects.acreate(scope="member", measure="running", amount=1)
    form = {"key": key(), "message": "Hi", "model": LLAMA, "compare_with": MISTRAL}
    async with site_with(endless()):
        path = (await post(alice_client, "/chat/messages", **form))["Location"]
        assert await Message.objects.filter(role="assistant").acount() == 1
    await limit.adelete()
    page = await shown(alice_client, path)
    again = re.search(r'name="key" value="([0-9a-f]+-2)"', page)
    answer = re.search(r'name="beside" value="(\d+)"', page)
    assert again
    assert answer
    response = await post(alice_client, f"{path}messages", key=again[1], beside=answer[1])
    assert response.status_code == 303
    assert await Message.objects.filter(role="assistant").acount() == 2
