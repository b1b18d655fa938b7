"""Add deliveries, and let each process deliver what is due.

A kind says how one is delivered. Other packages define theirs, and chat/apps.py runs them; this one
knows none. Work in the background is a kind, too: its `send` does the work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from chat.database import threads
from chat.database.housekeeping import TASK, isolated, left_out
from chat.outbox import claim
from chat.outbox.models import Delivery

log = logging.getLogger(__name__)

#: While something is delivered, so often what else is due is looked for.
AGAIN_SECONDS = 2.0
DELIVERIES = Delivery._meta.db_table


@dataclass(frozen=True, slots=True)
class DeliveryKind:
    """One kind of deliveries."""

    name: str
    #: Deliver one, or return at once if nobody is to have it any more. Raise `DeliveryFailed`.
    send: Callable[[Delivery], Awaitable[None]]
    #: Longer than `send` may take.
    lease: timedelta
    #: How many a process delivers at the same time.
    at_once: int
    #: What to store once it is given up, so that nobody waits for it for ever.
    on_given_up: Callable[[Delivery], None] | None = None

    def add(
        self,
        *,
        group: object = "",
        recipient: object = "",
        due_at: datetime | None = None,
        **content: Any,
    ) -> Delivery:
        """Store a delivery, in the transaction of its cause; `content` has no text of people.

        It is due at once, or at `due_at`, by the database's clock, which says what is due. That of
        SQLite has milliseconds only, so by Python's it would often be due a moment later.
        """
        return Delivery.objects.create(
            kind=self.name,
            group=str(group),
            recipient=str(recipient),
            content=content,
            due_at=due_at or Now(),
        )


def job(kinds: Iterable[DeliveryKind]) -> Callable[[], Awaitable[None]]:
    """Return what each process runs every few seconds: deliver some of what is due of each kind.

    One statement tells which kinds have anything. One that takes long holds up no other: these are
    looked for again meanwhile.
    """
    known = {each.name: each for each in kinds}

    async def deliver_due() -> None:
        due = await threads.readers.run(claim.kinds_due) & known.keys()
        running: dict[str, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as group:
            while due or running:
                for name in due - running.keys():
                    running[name] = group.create_task(_deliver_apart(known[name]))
                _ended, left = await asyncio.wait(running.values(), timeout=AGAIN_SECONDS)
                if not left:
                    return
                running = {name: task for name, task in running.items() if task in left}
                due = await _due_meanwhile() & known.keys()

    return deliver_due


async def _due_meanwhile() -> set[str]:
    """Return the kinds that have anything.

    If that can't be looked up, what is being delivered goes on, so it isn't delivered twice.
    """
    try:
        return await threads.readers.run(claim.kinds_due)
    except Exception as error:
        log.warning("what is due couldn't be looked up: %s", type(error).__name__)
        return set()


async def _deliver_apart(kind: DeliveryKind) -> None:
    """Deliver some of a kind. What goes wrong stops no other kind."""
    try:
        with isolated(TASK, kind.name):
            await deliver_some(kind)
    except Exception as error:
        log.warning("%s couldn't be delivered: %s", kind.name, type(error).__name__)


async def deliver_some(kind: DeliveryKind) -> None:
    """Deliver some of what is due, at once."""
    due = await threads.readers.run(claim.due, kind.name, kind.at_once)
    ours = [each for each in due if await threads.writer.run(claim.claim, each, kind.lease)]
    await asyncio.gather(*(_deliver(kind, each) for each in ours))


def end_interrupted(kinds: Iterable[DeliveryKind]) -> Callable[[], None]:
    """Return what is run every minute: give up what no process tries again."""

    known = {each.name: each for each in kinds}

    def end_interrupted() -> None:
        waiting = claim.interrupted(known).exclude(pk__in=left_out(DELIVERIES))
        for delivery in waiting:
            on_given_up = known[delivery.kind].on_given_up
            with isolated(DELIVERIES, delivery.pk), transaction.atomic():
                if claim.give_up_interrupted(delivery) and on_given_up:
                    on_given_up(delivery)

    return end_interrupted


async def _deliver(kind: DeliveryKind, delivery: Delivery) -> None:
    try:
        await kind.send(delivery)
    except Exception as error:
        await threads.writer.run(_fail, kind, delivery, error)
    else:
        await threads.writer.run(claim.finish, delivery)


@transaction.atomic
def _fail(kind: DeliveryKind, delivery: Delivery, error: Exception) -> None:
    if claim.fail(delivery, error) and kind.on_given_up:
        kind.on_given_up(delivery)
