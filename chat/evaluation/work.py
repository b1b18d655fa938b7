"""Answer the items of runs in the background, as deliveries of the outbox.

A delivery is one step of a run: it answers a few items, one after another, stores each at once, and
adds the delivery of the next step. So a killed process repeats one answer at most, and members
aren't slowed: each run asks one question at a time, after those of people.
"""

import asyncio
import logging
from datetime import timedelta

from chat.database import threads
from chat.database.housekeeping import describe
from chat.errors import AllocationExhausted, ChatError, CreditExhausted, QuotaExceeded, ShuttingDown
from chat.evaluation import answering, runs
from chat.evaluation.models import DatasetItem, EvaluationRun
from chat.generations.send.side_requests import SideRequests
from chat.outbox.claim import MAX_ATTEMPTS
from chat.outbox.deliver import Kind
from chat.outbox.errors import DeliveryFailed
from chat.outbox.models import Delivery

log = logging.getLogger(__name__)

#: Longer than a step and its last answer take; if its process was killed, a run waits so long.
LEASE = timedelta(minutes=5)
#: A process asks for so many runs at the same time.
AT_ONCE = 2
#: After so long a step ends, and the next one is added.
STEP_SECONDS = 20.0
#: Between two questions of one run.
PAUSE_SECONDS = 0.5
#: Errors after which other items would fail as well.
STOPPING = (QuotaExceeded, AllocationExhausted, CreditExhausted)

_requests = SideRequests("evaluations", at_once=AT_ONCE)


async def _step(delivery: Delivery) -> None:
    """Do the next items of a run, unless it was cancelled or deleted meanwhile."""
    run_id, start = int(delivery.content["run"]), int(delivery.content["start"])
    ends_at = asyncio.get_running_loop().time() + STEP_SECONDS
    while asyncio.get_running_loop().time() < ends_at:
        found = await threads.readers.run(runs.next_item, run_id, start)
        if found is None:
            return
        run, item = found
        if item is None:
            await threads.writer.run(runs.end, run.pk, EvaluationRun.State.DONE)
            return
        async with _requests.turn():
            if not await _do(run, item, delivery):
                return
        await asyncio.sleep(PAUSE_SECONDS)
    await threads.writer.run(add_step, run_id, start)


async def _do(run: EvaluationRun, item: DatasetItem, delivery: Delivery) -> bool:
    """Answer and judge an item; return whether the run goes on."""
    try:
        await _answer(run, item)
    except STOPPING as error:
        await threads.writer.run(runs.end, run.pk, EvaluationRun.State.STOPPED, error.code)
        return False
    except ShuttingDown as error:
        if delivery.attempts >= MAX_ATTEMPTS:
            await threads.writer.run(_fail, delivery)
        raise DeliveryFailed(error.code) from None
    except ChatError as error:
        await _store_problem(run, item, error.code)
    except Exception as error:  # the others may work
        log.warning("an item of an evaluation run failed: %s", describe(error))
        await _store_problem(run, item, "failed")
    return True


async def _answer(run: EvaluationRun, item: DatasetItem) -> None:
    if run.is_of_stored_answers:
        judged = await answering.judge(run, item, item.answer) if run.is_judged else None

        def store_stored() -> None:
            runs.store(run, item, text=item.answer, judged=judged)

        await threads.writer.run(store_stored)
        return
    answered = await answering.answer(run, item)
    judged = None
    if run.is_judged:
        judged = await answering.judge(run, item, answered.text, answered.passages)

    def store() -> None:
        runs.store(
            run,
            item,
            text=answered.text,
            microdollars=answered.microdollars,
            milliseconds=answered.milliseconds,
            judged=judged,
        )

    await threads.writer.run(store)


async def _store_problem(run: EvaluationRun, item: DatasetItem, code: str) -> None:
    def store() -> None:
        runs.store(run, item, problem=code)

    await threads.writer.run(store)


def add_step(run_id: int, start: int) -> None:
    """Let a process do the next items of a run."""
    STEP.add(group=f"evaluation {run_id}", run=run_id, start=start)


def _fail(delivery: Delivery) -> None:
    """Stop a run with which processes die, again and again."""
    runs.end(int(delivery.content["run"]), EvaluationRun.State.STOPPED, "interrupted")


STEP = Kind("evaluation", _step, LEASE, AT_ONCE, _fail)
