"""Retired models named in public examples are answered by their replacements."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations import model_permissions
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.widget.canned_answer import SAYS_AYE

INT8, FP16 = "@cf/meta/llama-2-7b-chat-int8", "@cf/meta/llama-2-7b-chat-fp16"
GEMMA = "@cf/google/gemma-2b-it-lora"
NOW = "@cf/meta/llama-3.1-8b-instruct-fp8"


def sent(raw: Any) -> tuple[str, Any]:
    head, _, body = raw.requests[-1].partition(b"\r\n\r\n")
    return head.split(b" ")[1].decode().partition("/ai/run/")[2], json.loads(body)


@pytest.mark.parametrize(("asked", "answers"), [(INT8, NOW), (FP16, NOW), (GEMMA, GEMMA)])
async def test_the_provider_is_asked_for_the_replacement_and_the_answer_says_so(
    asked: str, answers: str, alice_client: AsyncClient
) -> None:
    async with site_with(SAYS_AYE) as raw:
        stream = await read_stream(await ask(alice_client, {"prompt": "Ahoy", "model": asked}))
    assert stream.text == "Aye"
    assert stream.key("model") == answers
    assert stream.key("instead_of") == (asked if asked != answers else None)
    assert sent(raw)[0] == answers


async def test_the_emulator_answers_as_the_retired_model_within_its_limits(
    alice_client: AsyncClient,
) -> None:
    body = {"prompt": "/long 4000", "model": INT8, "max_tokens": 4000}
    stream = await read_stream(await ask(alice_client, body))
    assert stream.key("model") == INT8
    assert stream.key("instead_of") is None
    assert stream.key("usage")["completion_tokens"] == 1800
    assert stream.key("finish_reason") == "length"


async def test_a_long_conversation_is_cut_to_the_context_window(alice_client: AsyncClient) -> None:
    turns = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": f"turn {n} " + "x" * 600}
        for n in range(20)
    ]
    body = {"messages": [*turns, {"role": "user", "content": "And now?"}], "model": INT8}
    stream = await read_stream(await ask(alice_client, body | {"max_tokens": 100}))
    assert 5 < stream.key("omitted_messages") < 20
    assert stream.done


async def test_retired_models_are_not_offered(alice_client: AsyncClient) -> None:
    page = (await alice_client.get("/chat/")).content.decode()
    assert NOW in page
    assert not any(name in page for name in (INT8, FP16, GEMMA))


async def test_a_member_restricted_to_some_models_cannot_use_retired_ones(
    alice: User, alice_client: AsyncClient
) -> None:
    group = await Group.objects.acreate(name="Class 7")
    await alice.groups.aadd(group)
    await sync_to_async(model_permissions.set_for)(group, [NOW])
    refused = await ask(alice_client, {"prompt": "Ahoy", "model": GEMMA})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "model_not_allowed")
