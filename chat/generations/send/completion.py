"""Finish what a request has started, even if its client goes away."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from chat.accounts.principals import Principal
from chat.database.detached import result_of
from chat.errors import ConversationFull, QuotaExceeded, RateLimitExceeded, ShuttingDown
from chat.generations.process import server_process
from chat.lib import metrics, trace
from chat.lib.limits import Backoff

T = TypeVar("T")

#: By principal. A refused send that sleeps costs nothing; one that is refused at once is repeated
#: at once, and delays others.
refusals = Backoff(first_seconds=0.25, most_seconds=2.0, forget_seconds=10.0)


async def run_to_completion(principal: Principal, work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even if the caller is cancelled. Delay repeated refusals."""
    try:
        await _ready()
    except BaseException:
        work.close()
        raise
    task = asyncio.create_task(work, context=trace.fresh_context())
    starting = server_process.current().starting
    starting.add(task)
    task.add_done_callback(starting.discard)
    try:
        return await result_of(task)
    except (QuotaExceeded, RateLimitExceeded, ConversationFull) as error:
        if isinstance(error, QuotaExceeded):
            metrics.record_quota_refusal(error.measure)
        await asyncio.sleep(refusals.delay_seconds(principal.key))
        raise


async def _ready() -> None:
    here = server_process.current()
    await here.start()
    if here.refuses_work:
        raise ShuttingDown(retry_after_seconds=2)


def process_id() -> int | None:
    """Return the id of this process's row, for charges."""
    worker = server_process.current().worker
    return worker.pk if worker else None
