"""Rules that hide messages can stop an answer while it is written, and cover what was shown."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message, RedactedText
from chat.emulator.requests import judging as emulated
from chat.quotas.models import Charge
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.judging import running
from chat.review.verdict_models import MessageVerdict
from tests.review.conftest import give
from tests.support.generations.follow import live
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.judging import CLEF, amake_rule
from tests.support.upstream.raw_upstream import EVENT_STREAM, Handler, chunk, plain
from tests.support.upstream.upstream_override import site_with
from tests.support.wait_for import PATIENCE_SECONDS, until, written


@pytest.fixture(autouse=True)
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "WINDOW_CHARS", 40)
    monkeypatch.setattr(running, "OVERLAP_CHARS", 20)
    running._checked.clear()


def speaking(*texts: str) -> Handler:
    """Write these texts, and then go on without an end; judge by the emulator's words."""

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        if CLEF.encode() in head.split(b"\r\n")[0]:
            verdict = {"success": True, "result": emulated.result(CLEF, json.loads(body))}
            writer.write(plain(200, json.dumps(verdict).encode()))
            return
        writer.write(EVENT_STREAM)
        for text in texts:
            writer.write(chunk(b"data: " + json.dumps({"response": text}).encode() + b"\n\n"))
            await writer.drain()
        while not writer.is_closing():
            writer.write(chunk(b'data: {"response":" on"}\n\n'))
            await writer.drain()
            await asyncio.sleep(0.005)

    return handler


async def long_enough(response: Any) -> None:
    generation = await written(response)
    await until(lambda: generation.length >= 100)


async def checked_answer(client: AsyncClient, *texts: str) -> tuple[Message, str]:
    """Have an answer written and checked once; return it once it has ended, and its state."""
    async with site_with(speaking(*texts)):
        response = await send(client, text="Go")
        reading = asyncio.create_task(read_stream(response))
        await long_enough(response)
        await running.check_running()
        async with asyncio.timeout(PATIENCE_SECONDS):
            message_id = int(response["X-Message-Id"])
            message = await Message.objects.aget(pk=message_id)
            if message.hidden_at is None:
                live(response).stop()
            stream = await reading
    await message.arefresh_from_db()
    return message, stream.key("state")


async def test_an_answer_with_a_word_is_stopped_and_covered(alice_client: AsyncClient) -> None:
    rule = await amake_rule("cover", "", kind="words", text="zephyr*", while_writing=True)
    message, state = await checked_answer(alice_client, "Of winds, " * 4, "zephyrquartz")
    assert state == "stopped"
    assert (message.text, message.hidden_at is None) == ("", False)
    hidden = await RedactedText.objects.aget(message=message)
    assert "zephyrquartz" in hidden.text
    assert (await StaffAction.objects.aget(kind="hidden")).detail == rule.name
    assert await Case.objects.acount() == 1


@pytest.mark.parametrize(
    "values",
    [
        {"while_writing": False},
        {"is_enabled": False},
        {"applies_to": "questions"},
        {"action": "queue"},
        {"text": "mistral"},
        {"share": 1},
    ],
    ids=lambda values: next(iter(values)),
)
async def test_another_rule_lets_it_go_on(
    alice_client: AsyncClient, values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = {"action": "cover", "kind": "words", "text": "zephyr*", "while_writing": True}
    chosen = usual | values
    if chosen.get("share") == 1:
        monkeypatch.setattr("chat.review.cases.rules.crc32", lambda _number: 99)
    await amake_rule(chosen.pop("action"), "", **chosen)
    message, _state = await checked_answer(alice_client, "Of winds, " * 4, "zephyrquartz")
    assert message.hidden_at is None
    assert not await StaffAction.objects.filter(kind="hidden").aexists()


async def test_the_judge_reads_what_was_added_and_the_owner_pays(
    alice: User, alice_client: AsyncClient
) -> None:
    await amake_rule("cover", "violence", while_writing=True)
    message, state = await checked_answer(alice_client, "Of winds, " * 4, "I will kill you")
    assert (state, message.text) == ("stopped", "")
    verdict = await MessageVerdict.objects.aget(message=message)
    assert verdict.harm == emulated.SURE
    charge = await Charge.objects.aget(model=CLEF)
    assert charge.user_id == alice.pk


async def test_what_the_judge_finds_harmless_goes_on(alice_client: AsyncClient) -> None:
    await amake_rule("cover", "violence", while_writing=True)
    message, _state = await checked_answer(alice_client, "Of winds, " * 8)
    assert message.hidden_at is None
    assert await Charge.objects.filter(model=CLEF).aexists()
    assert not await MessageVerdict.objects.aexists()  # only whole messages have one


async def test_a_failing_judge_stops_nothing(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(model: str, document: Any) -> Any:
        return {"answers": {}}

    monkeypatch.setattr(emulated, "result", fail)
    await amake_rule("cover", "violence", while_writing=True, fails_closed=True)
    message, _state = await checked_answer(alice_client, "Of winds, " * 4, "I will kill you")
    assert message.hidden_at is None


async def test_a_word_across_the_edge_of_two_windows_is_found(alice_client: AsyncClient) -> None:
    await amake_rule("cover", "", kind="words", text="zephyrquartz", while_writing=True)
    async with site_with(speaking("Of winds, " * 10 + "zephyr", "quartz")):
        response = await send(alice_client, text="Go")
        reading = asyncio.create_task(read_stream(response))
        await long_enough(response)
        generation = live(response)
        running._checked[generation.id] = 106  # as if the first text had been looked at
        await until(lambda: generation.length >= 160)
        await running.check_running()
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert (await reading).key("state") == "stopped"
    assert await RedactedText.objects.acount() == 1


async def test_answers_of_those_whom_no_lead_can_act_on_go_on(
    alice: User, alice_client: AsyncClient
) -> None:
    await sync_to_async(give)(alice, "lead_review")
    await amake_rule("cover", "", kind="words", text="zephyr*", while_writing=True)
    message, _state = await checked_answer(alice_client, "Of winds, " * 4, "zephyrquartz")
    assert message.hidden_at is None
    assert await Case.objects.acount() == 1


async def test_what_ended_is_forgotten(alice_client: AsyncClient) -> None:
    await amake_rule("cover", "", kind="words", text="mistral", while_writing=True)
    await checked_answer(alice_client, "Of winds, " * 8)
    assert len(running._checked) == 1
    await running.check_running()
    assert not running._checked
