"""Programs may refer to a response or its items for an hour, as OpenAI's SDKs do by default."""

import json
from typing import Any

import pytest
from django.core.cache import cache

from chat.accounts.models import User
from chat.web.api.responses import kept_responses
from chat.web.api.responses.kept_responses import MAX_KEPT, _keep
from tests.support.api.api_client import MODEL, ApiClient, new_api_client
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import site_with

ANSWER = stream_of(b'data: {"response":"Well"}\n\n', b"data: [DONE]\n\n")


def question(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def reference(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "item_reference", "id": item["id"]}


async def respond(program: ApiClient, given: Any, **options: Any) -> Any:
    return await program.post("/v1/responses", {"model": MODEL, "input": given, **options})


async def last_prompt(program: ApiClient, given: Any, **options: Any) -> list[Any]:
    """Return what the model reads of a request, as roles and texts."""
    async with site_with(always(ANSWER)) as raw:
        response = await respond(program, given, **options)
        assert response.status_code == 200, response.content
    sent = json.loads(raw.requests[-1].partition(b"\r\n\r\n")[2])["messages"]
    return [(each["role"], each["content"]) for each in sent]


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_an_item_is_known_by_its_id(program: ApiClient, is_streamed: bool) -> None:
    async with site_with(always(ANSWER)):
        response = await respond(program, "Hello", stream=is_streamed)
        if is_streamed:
            sent = b"".join([each async for each in response.streaming_content]).decode()
            first = json.loads(sent.strip().rpartition("data: ")[2])["response"]
        else:
            first = response.json()
    given = [question("Hello"), reference(first["output"][0]), question("Why?")]
    read = [("user", "Hello"), ("assistant", "Well"), ("user", "Why?")]
    assert first["store"] is True
    assert await last_prompt(program, given) == read


async def test_a_response_is_continued_by_its_id(program: ApiClient) -> None:
    async with site_with(always(ANSWER)):
        first = (await respond(program, "Hello")).json()
        second = (await respond(program, "Why?", previous_response_id=first["id"])).json()
    assert second["previous_response_id"] == first["id"]
    told = await last_prompt(
        program, "So?", previous_response_id=second["id"], instructions="Be kind."
    )
    answer = ("assistant", "Well")
    assert told == [
        ("system", "Be kind."),
        *(("user", "Hello"), answer),
        *(("user", "Why?"), answer),
        ("user", "So?"),
    ]


async def test_nobody_else_finds_it_and_the_error_says_what_helps(
    program: ApiClient, alice: User, bob: User
) -> None:
    async with site_with(always(ANSWER)):
        kept = (await respond(program, "Hello")).json()
        not_kept = (await respond(program, "Hello", store=False)).json()
    assert not_kept["store"] is False
    for other in (await new_api_client(bob), await new_api_client(alice)):
        await _refuses(other, kept)
    await _refuses(program, not_kept)
    await _refuses(program, {"id": "resp_7", "output": [{"id": "msg_7"}]})


async def test_a_long_input_is_not_kept_but_the_items_are(
    program: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_responses, "MAX_KEPT_BYTES", 1000)
    long = question("long " * 300)
    async with site_with(always(ANSWER)):
        first = (await respond(program, [long])).json()
    refused = await respond(program, "Why?", previous_response_id=first["id"])
    assert refused.json()["error"]["param"] == "previous_response_id"
    assert len(await last_prompt(program, [long, reference(first["output"][0])])) == 2


@pytest.mark.django_db
def test_the_oldest_of_a_members_responses_is_dropped_first() -> None:
    for number in range(MAX_KEPT + 1):
        _keep(1, 2, f"{number:032x}", b"{}")
    kept = [cache.get(f"response:2:{number:032x}") for number in range(MAX_KEPT + 1)]
    assert kept == [None, *[b"{}"] * MAX_KEPT]


async def _refuses(program: ApiClient, response: dict[str, Any]) -> None:
    by_item = await respond(program, [reference(response["output"][0]), question("Why?")])
    by_id = await respond(program, "Why?", previous_response_id=response["id"])
    for refused, param in ((by_item, "input[0]"), (by_id, "previous_response_id")):
        error = refused.json()["error"]
        assert (refused.status_code, error["param"]) == (400, param)
        assert "store: false" in error["message"]


async def test_items_that_are_too_long_together_are_refused(
    program: ApiClient, settings: Any
) -> None:
    async with site_with(always(ANSWER)):
        first = (await respond(program, "Hello")).json()
    settings.MAX_BODY_BYTES = 20_000
    refused = await respond(program, [reference(first["output"][0])] * 150 + [question("Why?")])
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "body_too_long")
