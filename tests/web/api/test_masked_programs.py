"""Programs get the values that the provider didn't: in text, and in the calls of their tools."""

import json

import pytest
from asgiref.sync import sync_to_async

from tests.support.api.api_client import ApiClient, events_of, text_of
from tests.support.generations.masked_requests import (
    EMAIL,
    QUESTION,
    assert_nothing_personal,
    store_settings,
)
from tests.support.upstream.recorded_emulator import record_requests

MODEL = "@cf/openai/gpt-oss-20b"
Asked = list[tuple[str, bytes]]


@pytest.fixture
async def asked(db: None, monkeypatch: pytest.MonkeyPatch) -> Asked:
    await sync_to_async(store_settings)(COVER_PERSONAL_DATA=True)
    return record_requests(monkeypatch)


@pytest.mark.parametrize("stream", [False, True])
async def test_programs_are_masked(program: ApiClient, asked: Asked, stream: bool) -> None:
    response = await program.complete(QUESTION, stream=stream, user=EMAIL)
    if stream:
        text = text_of((await events_of(response))[:-1])
    else:
        text = response.json()["choices"][0]["message"]["content"]
    assert_nothing_personal(asked)
    assert EMAIL in text


@pytest.mark.parametrize("stream", [False, True])
async def test_a_program_gets_its_calls_with_the_values(
    program: ApiClient, asked: Asked, stream: bool
) -> None:
    tool = {"type": "function", "function": {"name": "mail", "parameters": {"type": "object"}}}
    content = f'/tool mail {{"to": "{EMAIL}"}}'
    response = await program.complete(content, stream=stream, tools=[tool], model=MODEL)
    if stream:
        pieces = [each["choices"] for each in (await events_of(response))[:-1]]
        calls = [
            call["function"].get("arguments", "")
            for choices in pieces
            for choice in choices
            for call in choice["delta"].get("tool_calls", ())
        ]
        arguments = "".join(calls)
    else:
        message = response.json()["choices"][0]["message"]
        arguments = message["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"to": EMAIL}
    assert_nothing_personal(asked)
