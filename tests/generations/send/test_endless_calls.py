"""A model that calls tools for ever stops within its bounds and what was reserved."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.billing import charging
from chat.generations.models import Generation
from chat.generations.send.tool_rounds import MAX_CALLS, MAX_CALLS_AT_ONCE, MAX_ROUNDS
from chat.quotas.models import Charge, Limit, Meter
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import Handler, stream_of
from tests.support.upstream.upstream_override import site_with

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")

Call = tuple[str, dict[str, Any]]
COMPLETION_TOKENS = 40


def calculation(number: int) -> Call:
    return "calculator", {"expression": f"{number} + 1"}


#: What a model calls in the request of this number.
HABITS: dict[str, Callable[[int], list[Call]]] = {
    "always the same": lambda _: [calculation(1)],
    "one and another": lambda number: [calculation(number % 2)],
    "always another": lambda number: [calculation(number)],
    "two tools in turn": lambda number: [
        calculation(number) if number % 2 else ("current_time", {"zone": f"Etc/GMT+{number}"})
    ],
    "many at once": lambda number: [calculation(100 * number + each) for each in range(30)],
    "no such tool": lambda number: [(f"tool_{number}", {})],
    "no arguments": lambda number: [("calculator", {"wrong": number})],
}


def openai(calls: list[Call], usage: dict[str, int]) -> list[bytes]:
    made = [
        {"index": at, "id": "same", "function": {"name": name, "arguments": json.dumps(given)}}
        for at, (name, given) in enumerate(calls)
    ]
    choice = {"index": 0, "delta": {"tool_calls": made}, "finish_reason": "tool_calls"}
    return [event({"choices": [choice]}), event({"choices": [], "usage": usage})]


def native(calls: list[Call], usage: dict[str, int]) -> list[bytes]:
    made = [{"name": name, "arguments": given} for name, given in calls]
    return [event({"response": "", "tool_calls": made}), event({"response": "", "usage": usage})]


def both(calls: list[Call], usage: dict[str, int]) -> list[bytes]:
    return [event({"response": ""}), *openai(calls, usage)]


def event(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


DIALECTS = {
    "native": ("@cf/meta/llama-3.3-70b-instruct-fp8-fast", native),
    "dual": ("@cf/meta/llama-4-scout-17b-16e-instruct", both),
    "openai": ("@cf/openai/gpt-oss-20b", openai),
}


def for_ever(dialect: str, habit: str) -> tuple[Handler, list[int]]:
    """Call with each request, even if tools are forbidden; return also what each one has used."""
    used: list[int] = []
    _model, written = DIALECTS[dialect]

    async def handle(request: bytes, writer: asyncio.StreamWriter) -> None:
        calls = HABITS[habit](len(used))
        prompt = len(request.partition(b"\r\n\r\n")[2]) // 8
        used.append(prompt + COMPLETION_TOKENS)
        usage = {"prompt_tokens": prompt, "completion_tokens": COMPLETION_TOKENS}
        writer.write(stream_of(*written(calls, usage), DONE))

    return handle, used


@pytest.fixture
def reserved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the most that each request may cost, once it is reserved."""
    amounts: list[int] = []
    extend = charging.extend

    def noting(*given: Any) -> int:
        granted = extend(*given)
        charge = Charge.objects.get()
        amounts.append(charge.tokens - charge.used_tokens)
        return granted

    monkeypatch.setattr(charging, "extend", noting)
    return amounts


async def ask(client: AsyncClient, dialect: str, habit: str) -> list[int]:
    model, _written = DIALECTS[dialect]
    handler, used = for_ever(dialect, habit)
    async with site_with(handler):
        tools = ["calculator", "current_time"]
        await read_stream(
            await send(client, text="So?", site_tools=tools, model=model, max_tokens=100)
        )
    return used


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_endless_calls_end_within_their_bounds_and_what_was_reserved(
    alice: User, alice_client: AsyncClient, reserved: list[int], dialect: str, habit: str
) -> None:
    used = await ask(alice_client, dialect, habit)
    calls, charge = StoredToolCall.objects.all(), await Charge.objects.aget()
    assert (await Generation.objects.aget()).state == "complete"
    assert 2 <= len(used) <= MAX_ROUNDS + 1
    assert await calls.acount() < MAX_CALLS + 30
    assert await calls.filter(state="done").acount() <= MAX_CALLS
    for number in range(MAX_ROUNDS):
        done = calls.filter(state="done", round=number)
        assert await done.acount() <= MAX_CALLS_AT_ONCE
    assert charge.tokens == sum(used)
    assert all(one <= most for one, most in zip(used[1:], reserved, strict=True))
    meter = await Meter.objects.aget(key=f"user:{alice.pk}")
    assert (meter.tokens, meter.reserved.tokens, meter.running) == (sum(used), 0, 0)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_endless_calls_end_at_a_limit(
    alice: User, alice_client: AsyncClient, dialect: str
) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=1200)
    used = await ask(alice_client, dialect, "always another")
    assert 2 <= len(used) <= MAX_ROUNDS
    assert (await Charge.objects.aget()).tokens == sum(used) <= 1200
    generation = await Generation.objects.aget()
    assert generation.error_message.startswith("This answer can't go on.")
