"""Run long calculations that a person causes, so that they hold up nobody else."""

from typing import TypeVar

from chat.lib.limits import FairQueues
from chat.lib.worker_thread import Steps, off_loop_in_steps

T = TypeVar("T")

_queues = FairQueues()


async def in_steps(key: str, steps: Steps[T]) -> T:
    """Return what the generator returns; other people's work goes on between its steps.

    `key` is whose work it is: theirs is done one after the other, so that however much one person
    has, others wait for one step of it.
    """
    async with _queues.turn(key):
        return await off_loop_in_steps(steps)
