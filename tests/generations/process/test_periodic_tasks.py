"""What layers above have done in small steps, while the server runs."""

import asyncio

from chat.database import threads
from chat.generations.process.server_process import run_round_robin


def test_one_that_has_much_to_do_keeps_no_other_waiting() -> None:
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
