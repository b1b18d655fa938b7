"""Background jobs of other packages take turns, one small step each."""

import asyncio

from chat.database import threads
from chat.generations.process.server_process import run_round_robin


def test_a_long_job_does_not_delay_the_others() -> None:
    done: list[str] = []

    def much() -> bool:
        done.append("much")
        return done.count("much") < 5

    def little() -> bool:
        done.append("little")
        return False

    asyncio.run(run_round_robin([much, little]))
    threads.readers.close()
    assert done == ["much", "little"] * 5
