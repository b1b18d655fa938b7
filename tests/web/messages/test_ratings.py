"""`POST /chat/<id>/messages/<id>/rating`: store, change and withdraw a rating."""

from typing import Any

import pytest
from django.test import AsyncClient

from chat.conversations.models import Rating
from chat.web.messages.views import messages
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream

REASONED = {"value": -1, "reason": "wrong", "comment": "Rivers do not flow uphill."}


@pytest.fixture
async def answer(alice_client: AsyncClient) -> Any:
    response = await send(alice_client, text="Why do rivers bend?")
    await read_stream(response)
    return response


async def rate(client: AsyncClient, answer: Any, body: Any, message: str = "Message") -> Any:
    path = f"/chat/{answer['X-Conversation-Id']}/messages/{answer[f'X-{message}-Id']}/rating"
    return await client.post(path, data=body, content_type="application/json")


async def shown(client: AsyncClient, answer: Any) -> Any:
    page = await client.get(
        f"/chat/{answer['X-Conversation-Id']}/", headers={"Accept": "application/json"}
    )
    return page.json()["turns"][-1].get("rating")


async def test_a_rating_is_stored_with_its_reason(alice_client: AsyncClient, answer: Any) -> None:
    assert (await rate(alice_client, answer, REASONED)).json() == {"value": -1}
    assert await shown(alice_client, answer) == REASONED


async def test_a_second_rating_replaces_the_first(alice_client: AsyncClient, answer: Any) -> None:
    await rate(alice_client, answer, REASONED)
    await rate(alice_client, answer, {"value": 1})
    assert await shown(alice_client, answer) == {"value": 1, "reason": "", "comment": ""}
    assert await Rating.objects.acount() == 1


async def test_a_rating_can_be_withdrawn(alice_client: AsyncClient, answer: Any) -> None:
    await rate(alice_client, answer, REASONED)
    assert (await rate(alice_client, answer, {"value": 0})).json() == {"value": 0}
    assert await shown(alice_client, answer) is None


async def test_another_members_answer_cannot_be_rated(
    alice_client: AsyncClient, bob_client: AsyncClient, anonymous_client: AsyncClient, answer: Any
) -> None:
    assert (await rate(bob_client, answer, REASONED)).status_code == 404
    assert (await rate(anonymous_client, answer, REASONED)).status_code == 401
    assert await Rating.objects.acount() == 0


async def test_a_question_cannot_be_rated(alice_client: AsyncClient, answer: Any) -> None:
    refused = await rate(alice_client, answer, REASONED, message="Question")
    assert refused.status_code == 400
    assert "You can only rate answers" in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [{}, {"value": 2}, {"value": "1"}, {"value": 1, "reason": "x"},
     {"value": -1, "comment": "x" * 1001}, [], "{"],
)  # fmt: skip
async def test_an_invalid_rating_is_refused_with_the_reason(
    body: Any, alice_client: AsyncClient, answer: Any
) -> None:
    refused = await rate(alice_client, answer, body)
    assert refused.status_code == 400
    assert refused.json()["error"]["message"]


async def test_a_refusal_is_in_the_readers_language(alice_client: AsyncClient, answer: Any) -> None:
    """Even though it is refused in a thread without an active language."""
    path = f"/chat/{answer['X-Conversation-Id']}/messages/{answer['X-Question-Id']}/rating"
    refused = await alice_client.post(
        path, data=REASONED, content_type="application/json", headers={"Accept-Language": "de"}
    )
    assert refused.json()["error"]["message"] == "Nur Antworten lassen sich bewerten."


async def test_ratings_are_rate_limited(
    alice_client: AsyncClient, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thumbs down creates a case for staff."""
    monkeypatch.setattr(messages, "RATINGS_PER_MINUTE", 2)
    codes = [(await rate(alice_client, answer, {"value": -1})).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
