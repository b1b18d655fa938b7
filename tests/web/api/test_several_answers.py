"""`n` asks for several answers to one request."""

import pytest

from chat.quotas.models import Charge, Limit
from tests.support.api.api_client import ApiClient


async def test_each_answer_is_a_choice_and_is_charged(program: ApiClient) -> None:
    one = (await program.complete()).json()
    response = await program.complete(n=3)
    several = response.json()
    assert response.status_code == 200
    assert [each["index"] for each in several["choices"]] == [0, 1, 2]
    assert all("“Hello”" in each["message"]["content"] for each in several["choices"])
    usage = several["usage"]
    assert usage["prompt_tokens"] == 3 * one["usage"]["prompt_tokens"]
    assert usage["completion_tokens"] > one["usage"]["completion_tokens"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert await Charge.objects.filter(user_id=program.key.owner_id).acount() == 4


async def test_calls_of_tools_have_ids_of_their_own(program: ApiClient) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    response = await program.complete('/tool look {"a": 1}', n=2, tools=[tool])
    ids = [
        call["id"]
        for choice in response.json()["choices"]
        for call in choice["message"]["tool_calls"]
    ]
    assert len(set(ids)) == 2


async def test_a_failed_answer_fails_the_request(program: ApiClient) -> None:
    response = await program.complete("/error 3040", n=2)
    assert (response.status_code, "choices" in response.json()) == (503, False)


@pytest.mark.parametrize(
    ("n", "stream", "status"), [(None, True, 200), (1, True, 200), (2, True, 400), (9, False, 400), (0, False, 400)]
)  # fmt: skip
async def test_what_cannot_be_done_is_refused_by_name(
    program: ApiClient, n: int | None, stream: bool, status: int
) -> None:
    response = await program.complete(n=n, stream=stream)
    assert response.status_code == status
    if status == 400:
        assert response.json()["error"]["param"] == "n"
    else:
        [_ async for _ in response]


async def test_answers_wait_for_each_other_if_few_may_run(program: ApiClient) -> None:
    """Otherwise those that had begun were stopped, and paid for in vain."""
    await Limit.objects.acreate(scope="member", measure="running", amount=1)
    response = await program.complete(n=3)
    assert (response.status_code, len(response.json()["choices"])) == (200, 3)
    assert await Charge.objects.filter(user_id=program.key.owner_id).acount() == 3
