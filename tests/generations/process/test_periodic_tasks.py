"""Background jobs of other packages take turns, and let sends go first."""

import asyncio
from collections.abc import Callable

from chat.database import threads
from chat.generations.process import server_process
from chat.generations.process.round_robin import run_round_robin

LONG_SECONDS = 3600.0


async def at_once() -> None:
    """Nothing to wait for."""


def job(name: str, done: list[str], times: int) -> Callable[[], bool]:
    """Return a step that has more to do until it was run so many times."""

    def step() -> bool:
        done.append(name)
        return done.count(name) < times

    return step


def test_a_long_job_does_not_delay_the_others() -> None:
    done: list[str] = []
    steps = [job("much", done, 3), job("more", done, 4), job("little", done, 1)]
    asyncio.run(run_round_robin(steps, LONG_SECONDS, at_once))
    threads.readers.close()
    assert done == ["much", "more", "little", "much", "more", "much", "more", "more"]


def test_a_job_without_end_does_not_keep_the_others_from_their_turn() -> None:
    done: list[str] = []
    steps = [job("much", done, 3), job("little", done, 1)]
    asyncio.run(run_round_robin(steps, 0, at_once))  # all of them each time
    threads.readers.close()
    assert done == ["much", "little"] * 3


def test_a_job_is_not_repeated_while_a_send_is_stored() -> None:
    done: list[str] = []

    async def run() -> None:
        here = server_process.current()
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        sending = asyncio.ensure_future(asyncio.shield(stored))
        here.starting.add(sending)
        sending.add_done_callback(here.starting.discard)

        async def quiet() -> None:
            done.append("waiting")
            asyncio.get_running_loop().call_soon(stored.set_result, None)
            await here.until_quiet(LONG_SECONDS)
            done.append("quiet" if stored.done() else "too early")

        await run_round_robin([job("much", done, 2)], LONG_SECONDS, quiet)

    asyncio.run(run())
    threads.readers.close()
    assert done == ["much", "waiting", "quiet", "much"]


def test_a_send_that_takes_long_does_not_stop_the_jobs() -> None:
    async def run() -> bool:
        here = server_process.current()
        here.starting.add(asyncio.create_task(asyncio.Event().wait()))
        await here.until_quiet(0.01)
        (sending,) = here.starting
        return sending.cancel()

    assert asyncio.run(run())
