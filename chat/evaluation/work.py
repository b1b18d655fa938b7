"""Answer the items of runs in the background, as deliveries of the outbox.

A delivery is one step of a run: it answers a few items, one after another, stores each at once, and
adds the delivery of the next step. So a killed process repeats one question at most, and members
aren't slowed: each run asks one question at a time, after those of people.
"""

import asyncio
import logging
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now
from django.utils import timezone

from chat.database import threads
from chat.database.housekeeping import describe
from chat.errors import ChatError, ShuttingDown
from chat.evaluation import answering, runs
from chat.evaluation.answering import Judged
from chat.evaluation.errors import STOPPING
from chat.evaluation.models import DatasetItem, EvaluationRun
from chat.evaluation.runs import NextItem, State
from chat.generations.send.side_requests import SideRequests
from chat.knowledge.given import GivenPassages
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryFailed
from chat.outbox.models import Delivery

log = logging.getLogger(__name__)

#: Longer than a step and its last answer take. That one may wait until another run's answer and the
#: questions of people are done, and takes up to three minutes. A killed process holds a run up so
#: long.
LEASE = timedelta(minutes=10)
#: A process asks for so many runs at the same time.
AT_ONCE = 2
#: After so long a step ends, and the next one is added.
STEP_SECONDS = 20.0
#: Between two questions of one run.
PAUSE_SECONDS = 0.5
#: A run that was started again looks so often whether its former step has stored its last answer.
FORMER_STEP = timedelta(seconds=2)

_requests = SideRequests("evaluations", at_once=AT_ONCE)


async def _step(delivery: Delivery) -> None:
    """Do the next items of a run, unless it was cancelled or deleted meanwhile."""
    run_id, start = int(delivery.content["run"]), int(delivery.content["start"])
    ends_at = asyncio.get_running_loop().time() + STEP_SECONDS
    while asyncio.get_running_loop().time() < ends_at:
        found = await threads.readers.run(runs.next_item, run_id, start)
        if found is None:
            return
        if await threads.readers.run(_is_answering, delivery):
            await threads.writer.run(add_step, run_id, start, FORMER_STEP)
            return
        if found.item is None:
            await threads.writer.run(_end, found.run, State.DONE)
            return
        if found.run.has_lost_documents:
            await threads.writer.run(_end, found.run, State.STOPPED, "collection_unavailable")
            return
        async with _requests.turn():
            if not await _do(found, found.item):
                return
        await asyncio.sleep(PAUSE_SECONDS)
    await threads.writer.run(add_step, run_id, start)


def _is_answering(delivery: Delivery) -> bool:
    """Return whether a step from before the run was cancelled still waits for its last answer.

    Otherwise, its question would be asked, and paid for, a second time.
    """
    others = Delivery.objects.filter(
        kind=delivery.kind, group=delivery.group, claimed_until__gt=Now()
    )
    return others.exclude(pk=delivery.pk).exists()


async def _do(found: NextItem, item: DatasetItem) -> bool:
    """Answer an item, or judge its stored answer; return whether the run goes on."""
    run, answer, given = found.run, found.answer, None
    text = answer.text if answer else None
    try:
        if answer is None:
            text, given = await _answer(run, item)
        if run.is_judged and text is not None:
            await _judge(run, item, text, given)
    except STOPPING as error:
        await threads.writer.run(_end, run, State.STOPPED, error.code)
        return False
    except ShuttingDown as error:
        raise DeliveryFailed(error.code) from None
    return True


async def _answer(run: EvaluationRun, item: DatasetItem) -> tuple[str | None, GivenPassages | None]:
    """Store an answer, and return it with its passages; or store why there is none.

    Raise `ShuttingDown`, or one of `STOPPING`.
    """
    if run.is_of_stored_answers:
        await _store(run, item, text=item.answer)
        return item.answer, None
    try:
        answered = await answering.answer(run, item)
    except (ShuttingDown, *STOPPING):
        raise
    except Exception as error:  # the others may work
        await _store(run, item, problem=_code_of(error))
        return None, None
    await _store(
        run,
        item,
        text=answered.text,
        problem=_code_of(answered.error) if answered.error else "",
        microdollars=answered.microdollars,
        milliseconds=answered.milliseconds,
    )
    return None if answered.error else answered.text, answered.given


async def _judge(
    run: EvaluationRun, item: DatasetItem, text: str, given: GivenPassages | None
) -> None:
    try:
        judged = await answering.judge(run, item, text, given)
    except (ShuttingDown, *STOPPING):
        raise
    except Exception as error:
        judged = Judged(problem=_code_of(error))
    await threads.writer.run(runs.store_verdict, run, item, judged)


def _code_of(error: Exception) -> str:
    if isinstance(error, ChatError):
        return error.code
    log.warning("an item of an evaluation run failed: %s", describe(error))
    return "failed"


async def _store(run: EvaluationRun, item: DatasetItem, **got: Any) -> None:
    def store() -> None:
        runs.store(run, item, **got)

    await threads.writer.run(store)


def _end(run: EvaluationRun, state: State, problem: str = "") -> None:
    """End the run, unless it was cancelled and started again meanwhile."""
    runs.end(run.pk, state, problem, start=run.starts)


def add_step(run_id: int, start: int, after: timedelta | None = None) -> None:
    """Let a process do the next items of a run, at once or `after` some time."""
    due_at = timezone.now() + after if after else None
    STEP.add(group=f"evaluation {run_id}", due_at=due_at, run=run_id, start=start)


def _fail(delivery: Delivery) -> None:
    """Stop a run whose step was given up: it fails, or processes die with it, again and again."""
    run_id, start = int(delivery.content["run"]), int(delivery.content["start"])
    runs.end(run_id, State.STOPPED, "interrupted", start=start)


STEP = DeliveryKind("evaluation", _step, LEASE, AT_ONCE, _fail)
