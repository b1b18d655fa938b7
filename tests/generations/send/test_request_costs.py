"""An answer with tools costs what each of its requests has used, and reserves no more."""

import asyncio
import json
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.generations.billing.pricing import amount_of, spent, usage_of
from chat.generations.models import Generation
from chat.generations.result import LastRequest, Result
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.models import Charge, Limit, Meter
from chat.upstream import available_models
from chat.upstream.events import Usage
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import Handler, in_turn, stream_of
from tests.support.upstream.upstream_override import IMPATIENT_LATER, site_with

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

MODEL = "@cf/openai/gpt-oss-20b"
USED = 100


def event(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


USAGE = event({"choices": [], "usage": {"prompt_tokens": USED - 10, "completion_tokens": 10}})


def calling(number: int) -> bytes:
    function = {"name": "calculator", "arguments": json.dumps({"expression": f"{number}+1"})}
    call = {"index": 0, "id": "a", "type": "function", "function": function}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    return stream_of(event({"choices": [choice]}), USAGE, DONE)


def saying(text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
    return stream_of(event({"choices": [choice]}), USAGE, DONE)


async def ask(client: AsyncClient, answers: Handler, max_tokens: int = 100) -> Any:
    async with site_with(answers):
        return await read_stream(
            await send(
                client,
                text="So?",
                site_tools=["calculator"],
                model=MODEL,
                max_tokens=max_tokens,
            )
        )


async def prompt_of_last_request(client: AsyncClient) -> int:
    """Return the estimate for the last of three requests, and forget the answer."""
    await ask(client, in_turn(calling(1), calling(2), saying("So.")))
    prompt = (await Charge.objects.aget()).prompt_tokens
    await Charge.objects.all().adelete()
    await Meter.objects.all().adelete()
    return prompt


async def test_an_answer_that_fits_into_a_limit_is_not_refused(
    alice: User, alice_client: AsyncClient
) -> None:
    prompt = await prompt_of_last_request(alice_client)
    limit = 2 * USED + prompt + 100
    await Limit.objects.acreate(scope="member", measure="tokens", amount=limit)
    stream = await ask(alice_client, in_turn(calling(1), calling(2), saying("So.")))
    assert stream.text == "So."
    assert (await Charge.objects.aget()).tokens == 3 * USED


async def test_a_refused_request_ends_the_answer_with_true_words(
    alice: User, alice_client: AsyncClient
) -> None:
    prompt = await prompt_of_last_request(alice_client)
    limit = 2 * USED + prompt + 50
    await Limit.objects.acreate(scope="member", measure="tokens", amount=limit)
    stream = await ask(alice_client, in_turn(calling(1), calling(2), saying("So.")))
    words = stream.key("error")["message"]
    assert words == "This answer can't go on. What is left of your daily limit isn't enough."
    assert (await Charge.objects.aget()).tokens == 2 * USED


async def test_answers_of_one_member_that_race_keep_within_the_limit(
    alice: User, alice_client: AsyncClient
) -> None:
    prompt = await prompt_of_last_request(alice_client)
    limit = 4 * USED + prompt
    await Limit.objects.acreate(scope="member", measure="tokens", amount=limit)

    async def handle(request: bytes, writer: asyncio.StreamWriter) -> None:
        results = request.count(b'"role":"tool"')
        writer.write(calling(results) if results < 2 else saying("So."))

    async with site_with(handle):

        async def one() -> None:
            body = {"text": "So?", "site_tools": ["calculator"], "model": MODEL}
            response = await send(alice_client, max_tokens=100, **body)
            if response.status_code == 200:
                await read_stream(response)

        await asyncio.gather(*(one() for _ in range(4)))
    charged = [each.tokens async for each in Charge.objects.all()]
    meter = await Meter.objects.aget(key=f"user:{alice.pk}")
    assert max(charged) >= USED
    assert sum(charged) == meter.tokens <= limit
    assert (meter.reserved, meter.running) == (NOTHING, 0)


async def test_a_stop_charges_the_earlier_requests_and_the_text_of_the_last(
    alice: User, alice_client: AsyncClient
) -> None:
    last = {"index": 0, "delta": {"content": "word " * 40}}
    unfinished = stream_of(event({"choices": [last]}), end=False)
    async with site_with(in_turn(calling(1), unfinished), **IMPATIENT_LATER):
        await read_stream(
            await send(alice_client, text="So?", site_tools=["calculator"], model=MODEL)
        )
    charge = await Charge.objects.aget()
    assert (await Generation.objects.aget()).state == "interrupted"
    written = charge.tokens - USED - charge.prompt_tokens
    assert 40 <= written <= 100


def last_request(usage: Usage | None = None, output_tokens: int = 0) -> LastRequest:
    return LastRequest(Amount(70, 7, 7), MODEL, "", usage, output_tokens)


RESULT = Result("interrupted", 900, 9, output_tokens=300)


def test_the_last_request_is_added_to_what_was_used_once() -> None:
    model, before = available_models.find(MODEL), Amount(70, 7, 7)
    usage = usage_of(20, 5)
    result = Result("complete", 9, 9, last_request=last_request(usage=usage), usage=usage_of(90, 5))
    expected = before + amount_of(model, usage)
    for noted in (before, expected):  # the last one may have been noted, too
        assert spent(model, 20, None, noted, result) == expected


def test_without_usage_only_the_text_of_the_last_request_is_estimated() -> None:
    model = available_models.find(MODEL)
    result = Result("stopped", 9, 9, output_tokens=300, last_request=last_request(output_tokens=5))
    amount = spent(model, 20, Amount(999, 10**9, 10**9), Amount(70, 7, 7), result)
    assert amount.tokens == 70 + 20 + 5


def test_an_answer_whose_process_died_costs_at_least_what_was_noted() -> None:
    model, used = available_models.find(MODEL), Amount(70, 7, 7)
    most = Amount(500, 10**9, 10**9)
    assert spent(model, 0, most, used, RESULT) == used  # between two requests
    assert spent(model, 20, most, used, RESULT).tokens == 70 + 20 + 300
    failed = Result("failed", 0, 0)
    assert spent(model, 20, most, used, failed) == used
