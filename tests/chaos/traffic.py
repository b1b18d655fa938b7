"""Answers that begin one after the other for as long as something else happens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from random import Random

from tests.chaos.bench import Asked, Bench
from tests.chaos.directive import Directive


@asynccontextmanager
async def traffic(
    bench: Bench, chance: Random, run: str, address: Callable[[], str]
) -> AsyncIterator[list[Asked]]:
    """Send again and again until the end of the block; then all sends are read to their end.

    `address` is asked for each request, so that a client goes to a process that answers.
    """
    asked: list[Asked] = []
    sending = asyncio.create_task(_send(bench, chance, run, address, asked))
    try:
        yield asked
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
        await asyncio.gather(*(each.running for each in asked if each.running))


def cut_answers(asked: Iterable[Asked]) -> list[str]:
    """Return a line for each answer that did not come on one connection."""
    return [
        f"{each.mark}: its answer was cut, and resumed"
        for each in asked
        if each.reader.statuses.count(200) > 1
    ]


async def _send(
    bench: Bench, chance: Random, run: str, address: Callable[[], str], asked: list[Asked]
) -> None:
    while True:
        directive = Directive(f"{run}{len(asked)}", chance.randrange(20, 120), 40)
        each = bench.ask(directive, person=len(asked), address=address)
        asked.append(each)
        each.running = asyncio.create_task(each.reader.run())
        await asyncio.sleep(bench.size(0.2, 0.05))
