"""Ask for a document within the member's limits: reserve the cost, ask, settle what it was."""

import uuid
from collections.abc import Awaitable, Callable
from typing import TypeVar

from chat.accounts.principals import Principal
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.process import server_process
from chat.generations.result import Result, State
from chat.generations.send.completion import process_id, run_to_completion
from chat.lib.catalogue import ProvidedModel
from chat.quotas import ledger
from chat.quotas.amounts import Amount
from chat.quotas.ledger import Estimate
from chat.upstream.events import Finished, Usage

T = TypeVar("T")
#: Asks the provider; returns the answer, and what it used.
Ask = Callable[[], Awaitable[tuple[T, Usage]]]


async def ask_within_limits(
    principal: Principal,
    model: ProvidedModel,
    amount: Amount,
    ask: Ask[T],
    prompt_tokens: int = 0,
    *,
    is_message: bool = True,
) -> T:
    """Return what `ask` returns. `amount` is what it costs at most.

    Raise `QuotaExceeded`, or what `ask` raises; then it costs nothing.
    """
    providers = frozenset({model.provider})
    estimate = Estimate(prompt_tokens, 1, amount, amount, providers, is_message)
    return await run_to_completion(principal, _reserve_and_ask(principal, model, estimate, ask))


async def _reserve_and_ask(
    principal: Principal, model: ProvidedModel, estimate: Estimate, ask: Ask[T]
) -> T:
    charge_id = uuid.uuid4()
    if not ledger.has_ample_limits(principal.payer):
        await threads.readers.run(ledger.check_limits, principal.payer, estimate)
    await threads.writer.run(
        charging.reserve_temporary, charge_id, principal.payer, estimate, model, process_id()
    )
    state: State = "failed"
    usage: Usage | None = None
    try:
        answer, usage = await ask()
        state = "complete"
    finally:
        here = server_process.current()
        here.unsettled[charge_id] = Result.of(state, 0, 0, Finished(True, usage=usage))
        await here.settle()
    return answer
