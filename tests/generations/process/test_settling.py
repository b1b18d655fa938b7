"""Costs of answers that end together are stored together."""

import asyncio
import uuid
from typing import Any

import pytest
from django.db import OperationalError

from chat.database import threads
from chat.generations.process.server_process import ServerProcess
from chat.generations.result import Result

ANSWERS = 20


async def settled(here: ServerProcess) -> None:
    """Settle one more answer, as the end of each does."""
    here.unsettled[uuid.uuid4()] = Result("complete", 1, 1)
    await here.settle()


async def test_those_that_end_meanwhile_are_one_transaction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: list[int] = []

    async def slow(_work: Any, results: Any) -> None:
        counts.append(len(results))
        await asyncio.sleep(0.01)

    monkeypatch.setattr(threads.writer, "run", slow)
    here = ServerProcess()
    await asyncio.gather(*(settled(here) for _ in range(ANSWERS)))
    assert counts == [1, ANSWERS - 1]
    assert not here.unsettled


async def test_if_the_database_fails_the_others_do_not_try_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = 0

    async def broken(*_given: Any) -> None:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0.01)
        raise OperationalError("database is locked")

    monkeypatch.setattr(threads.writer, "run", broken)
    here = ServerProcess()
    await asyncio.gather(*(settled(here) for _ in range(ANSWERS)))
    assert tries == 1
    assert len(here.unsettled) == ANSWERS
    await here.settle()
    assert tries == 2
