"""A living process whose answer another one closed stores its longer text, and bills it once."""

import uuid
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, RedactedText
from chat.conversations.turns import add_answer, post_question, start_conversation
from chat.generations.log import frames
from chat.generations.models import Generation
from chat.generations.process import server_process, workers
from chat.generations.result import Result, State
from chat.generations.storage import checkpoint
from chat.generations.storage.checkpoint import Checkpoint
from chat.quotas import ledger
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge, Meter
from chat.quotas.payer import Payer
from chat.upstream.events import Usage
from tests.support.generations.follow import endless, live
from tests.support.generations.send import send, stored
from tests.support.generations.stream_reader import read_stream
from tests.support.quotas.usage_settings import HELLO
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.wait_for import written

pytestmark = pytest.mark.django_db
WHOLE = "Once upon a time"


def closed_by_another(owner: User, text: str = "Once ") -> Generation:
    """Create an answer that was closed as interrupted, with `text`."""
    answer = add_answer(post_question(start_conversation(owner.pk), "What?", None))
    generation = Generation.objects.create(
        owner=owner, message=answer, model="m", send_key=uuid.uuid4().hex, send_digest="d"
    )
    generation.pages.create(first_seq=1, last_seq=1, frames=frames.encode({"response": text}, 1))
    assert workers.close_orphans() == 1
    return generation


def late(generation: Generation, text: str, state: State = "complete") -> bool:
    """Store what the process that wrote the answer has; return whether it was stored."""
    result = Result(state, len(text), 2)
    new = Checkpoint(generation.id, 2, 2, b"", result, text)
    return checkpoint.write([new], []).ended[generation.id]


def test_the_longer_text_wins(alice: User) -> None:
    generation = closed_by_another(alice)
    assert late(generation, WHOLE)
    generation.refresh_from_db()
    assert (generation.state, generation.length) == ("complete", len(WHOLE))
    assert generation.message.text == WHOLE


def test_a_shorter_text_changes_nothing(alice: User) -> None:
    generation = closed_by_another(alice)
    assert not late(generation, "On", "stopped")
    generation.refresh_from_db()
    assert (generation.state, generation.message.text) == ("interrupted", "Once ")


def test_a_complete_result_of_the_same_text_wins(alice: User) -> None:
    generation = closed_by_another(alice)
    assert not late(generation, "Once ", "interrupted")
    assert late(generation, "Once ")
    assert Generation.objects.get().state == "complete"


def test_an_answer_that_was_continued_keeps_its_continuation(alice: User) -> None:
    generation = closed_by_another(alice)
    Generation.objects.create(
        owner=alice, message=generation.message, model="m", send_key="later", send_digest="d"
    )
    assert not late(generation, WHOLE)
    assert Message.objects.get(pk=generation.message_id).text == "Once "


def test_an_answer_that_was_stopped_stays_as_it_is(alice: User) -> None:
    generation = closed_by_another(alice)
    Generation.objects.update(state="stopped")
    assert not late(generation, WHOLE)


def test_the_text_of_a_redacted_answer_stays_hidden(alice: User) -> None:
    generation = closed_by_another(alice)
    hidden = Message.objects.filter(pk=generation.message_id)
    RedactedText.objects.create(message=hidden.get(), text="Once ")
    hidden.update(text="", hidden_at=generation.started_at)
    assert late(generation, WHOLE)
    assert (hidden.get().text, RedactedText.objects.get().text) == ("", WHOLE)


async def taken_for_dead() -> None:
    """Let another process take this one for dead and close its answers."""
    worker = server_process.current().worker
    assert worker
    await sync_to_async(workers.unregister)(worker)
    await sync_to_async(workers.close_orphans)()


async def test_a_process_taken_for_dead_ends_its_answer_with_all_of_its_text(
    alice: User, alice_client: AsyncClient
) -> None:
    async with site_with(endless()):
        response = await send(alice_client, text="Go")
        generation = await written(response)
        await taken_for_dead()
        row, _ = await stored(response)
        assert row.state == "interrupted"
        charged = await Charge.objects.aget()
        assert charged.settled_at
        await written(response, frames=len(generation.log) + 200)
        live(response).stop()
        stream = await read_stream(response)
    row, message = await stored(response)
    assert message.text == stream.text
    assert (row.state, row.length) == ("stopped", len(stream.text))
    assert stream.key("state") == "stopped"
    await billed_once(alice, more_than=charged.tokens)


async def test_a_temporary_answer_settled_by_another_process_costs_what_it_did(
    alice: User, alice_client: AsyncClient
) -> None:
    async with site_with(endless()):
        response = await ask(alice_client, HELLO)
        generation = live(response)
        await taken_for_dead()
        reserved = await Charge.objects.aget()
        assert reserved.settled_at
        generation.stop()
        await read_stream(response)
        await server_process.current().settle()
    assert (await Charge.objects.aget()).tokens < reserved.tokens
    await billed_once(alice)


async def billed_once(user: User, more_than: int = 0) -> None:
    charge = await Charge.objects.aget()
    used = await Meter.objects.aget(key=f"user:{user.pk}")
    assert charge.tokens > more_than
    assert (used.tokens, used.running, used.reserved_tokens) == (charge.tokens, 0, 0)


def test_a_result_that_is_stored_twice_is_billed_once(alice: User) -> None:
    generation = closed_by_another(alice)
    payer, most = Payer(user_id=alice.pk), Amount(900, 900, 900)
    with transaction.atomic():
        ledger.reserve(
            generation.id, payer, Estimate(10, 800, NOTHING, most), model="m", process=None
        )
    ledger.settle_orphans([])
    result = Result("complete", len(WHOLE), 2, usage=Usage(10, 5, 15))
    for text in (WHOLE, WHOLE + "!"):
        longer = replace(result, length=len(text))
        checkpoint.write([Checkpoint(generation.id, 2, 2, b"", longer, text)], [])
        Generation.objects.update(state="interrupted")
    charge, used = Charge.objects.get(), Meter.objects.get(key=payer.user_key)
    assert (charge.tokens, used.tokens, used.running) == (15, 15, 0)


def test_pages_learn_of_the_longer_text(alice: User) -> None:
    generation = closed_by_another(alice)
    before = generation.message.conversation.revision
    assert late(generation, WHOLE)
    assert Conversation.objects.get().revision > before
