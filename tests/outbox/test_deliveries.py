"""What the outbox has is delivered at least once, whoever dies, is slow, or refuses it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connections, transaction
from django.utils import timezone

from chat.outbox import claim
from chat.outbox.claim import MAX_ATTEMPTS, RETRY_AFTER
from chat.outbox.deliver import DeliveryKind, deliver_some
from chat.outbox.errors import DeliveryFailed, DeliveryRefused, DeliveryUncertain
from chat.outbox.models import Delivery
from tests.support.outbox import make_due

pytestmark = pytest.mark.usefixtures("stop_server_process")
LEASE = timedelta(minutes=1)

Send = Callable[[Delivery], Awaitable[None]]


def kind(send: Send, at_once: int = 4) -> DeliveryKind:
    return DeliveryKind("letter", send, LEASE, at_once)


async def add(*groups: str) -> list[Delivery]:
    """Store a letter of each group, oldest first."""
    of_kind = kind(_never)
    return [await sync_to_async(of_kind.add)(group=group, text=group) for group in groups or "a"]


async def _never(_delivery: Delivery) -> None:
    raise AssertionError


class Recipient:
    """Take letters, or fail with the errors that a test wants, one after the other."""

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.taken: list[UUID] = []

    async def __call__(self, delivery: Delivery) -> None:
        self.taken.append(delivery.pk)
        if error := self.errors.pop(0) if self.errors else None:
            raise error


async def test_a_delivery_is_stored_with_its_cause_and_removed_once_it_arrived() -> None:
    def fail() -> None:
        with transaction.atomic():
            kind(_never).add(group="a")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        await sync_to_async(fail)()
    assert not await Delivery.objects.aexists()
    await add()
    recipient = Recipient()
    await deliver_some(kind(recipient))
    assert len(recipient.taken) == 1
    assert not await Delivery.objects.aexists()


async def test_of_processes_that_claim_at_once_one_delivers() -> None:
    await add(*"abcdefgh")
    together = threading.Barrier(4)

    def claim_all() -> list[UUID]:
        try:
            found = claim.due("letter", 10)
            together.wait(timeout=10)
            return [each.pk for each in found if claim.claim(each, LEASE)]
        finally:
            connections.close_all()

    in_thread = sync_to_async(claim_all, thread_sensitive=False)
    claimed = await asyncio.gather(*(in_thread() for _ in range(4)))
    everything = [each for some in claimed for each in some]
    assert len(everything) == len(set(everything)) == 8


async def test_who_lost_the_claim_records_nothing() -> None:
    await add()
    (slow,) = await sync_to_async(claim.due)("letter", 1)
    assert await sync_to_async(claim.claim)(slow, LEASE)
    await Delivery.objects.aupdate(claimed_until=timezone.now() - timedelta(seconds=1))
    (quick,) = await sync_to_async(claim.due)("letter", 1)
    assert await sync_to_async(claim.claim)(quick, LEASE)
    await sync_to_async(claim.fail)(slow, DeliveryRefused("404"))
    await sync_to_async(claim.finish)(slow)
    left = await Delivery.objects.aget()
    assert (left.attempts, left.last_error) == (2, "")
    await sync_to_async(claim.finish)(quick)
    assert not await Delivery.objects.aexists()


async def test_what_fails_is_tried_again_after_growing_pauses_and_given_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await add()
    recipient = Recipient(*[DeliveryFailed("busy")] * 10)
    for number, pause in enumerate(RETRY_AFTER, 1):
        await deliver_some(kind(recipient))
        left = await Delivery.objects.aget()
        assert left.due_at
        assert abs(left.due_at - timezone.now() - pause) < timedelta(seconds=50)
        assert (left.attempts, left.last_error, left.claimed_until) == (number, "busy", None)
        await make_due()
    await deliver_some(kind(recipient))
    assert "was given up: busy" in caplog.text
    await make_due()
    await deliver_some(kind(recipient))
    assert len(recipient.taken) == MAX_ATTEMPTS
    await sync_to_async(claim.remove_old)()
    assert await Delivery.objects.aexists()  # one can still see why
    await Delivery.objects.aupdate(created_at=timezone.now() - 2 * claim.KEPT)
    await sync_to_async(claim.remove_old)()
    assert not await Delivery.objects.aexists()


@pytest.mark.parametrize(
    ("errors", "attempts"),
    [
        ([DeliveryRefused("550")], 1),
        ([DeliveryRefused("404", 3)] * 9, 3),
        ([DeliveryFailed("451"), DeliveryRefused("550")], 2),
        ([DeliveryUncertain("timeout")] * 9, 2),
        ([DeliveryUncertain("timeout"), DeliveryFailed("451"), DeliveryUncertain("timeout")], 3),
        ([ValueError("a bug, and what somebody wrote")] * 9, MAX_ATTEMPTS),
    ],
    ids=repr,
)
async def test_the_error_says_how_often_it_is_tried(errors: list[Exception], attempts: int) -> None:
    await add()
    recipient = Recipient(*errors)
    for _ in range(MAX_ATTEMPTS + 1):
        await deliver_some(kind(recipient))
        await make_due()
    assert len(recipient.taken) == attempts
    left = await Delivery.objects.afirst()
    assert not left or "somebody" not in left.last_error


async def test_nobody_waits_for_what_was_given_up() -> None:
    await add()
    given_up: list[UUID] = []
    letters = replace(
        kind(Recipient(*[ValueError("a bug")] * MAX_ATTEMPTS)),
        on_given_up=lambda delivery: given_up.append(delivery.pk),
    )
    for attempt in range(MAX_ATTEMPTS):
        assert (attempt, given_up) == (attempt, [])
        await deliver_some(letters)
        await make_due()
    assert given_up == [(await Delivery.objects.aget()).pk]


async def test_a_process_that_dies_in_the_last_attempt_ends_them() -> None:
    await add()
    await Delivery.objects.aupdate(attempts=MAX_ATTEMPTS - 1)
    (last,) = await sync_to_async(claim.due)("letter", 1)
    assert await sync_to_async(claim.claim)(last, LEASE)
    await Delivery.objects.aupdate(claimed_until=timezone.now() - LEASE)
    assert await sync_to_async(claim.due)("letter", 1) == []


async def test_groups_take_turns_and_a_slow_one_delays_no_other() -> None:
    await add(*"aaaaaaab")
    served: list[str] = []
    go_on = asyncio.Event()

    async def send(delivery: Delivery) -> None:
        if delivery.group == "a":
            await go_on.wait()
        served.append(delivery.group)

    running = asyncio.ensure_future(deliver_some(kind(send, at_once=2)))
    while served != ["b"]:
        await asyncio.sleep(0.01)
    go_on.set()
    await running
    assert served == ["b", "a"]


async def test_work_in_the_background_is_one_more_kind() -> None:
    done: list[int] = []

    async def count(delivery: Delivery) -> None:
        step = delivery.content["step"]
        done.append(step)
        if step < 3:
            await sync_to_async(steps.add)(step=step + 1)

    steps = kind(count)
    await sync_to_async(steps.add)(step=1)
    for _ in range(4):
        await deliver_some(steps)
    assert done == [1, 2, 3]
